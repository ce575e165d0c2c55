/** What the service can refuse with: the English texts in its code, its contracts and its table of codes, for their catalogues. */
import { join } from 'node:path';
import { parseSync } from 'vite';
import { features } from '../../server/features/index.ts';
import { error_table } from '../../server/kernel/errors.ts';
import { expectedBy } from '../../server/kernel/schema.ts';
import { isTest, readRepository } from '../tidy/repository.ts';

type Node = { type: string } & Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type === 'MemberExpression' && node['computed'] !== true) return nameOf(node['property']);
  return '';
};

/** A template as a message: each value under its own name. */
function readTemplate(node: Node): string {
  const parts = node['quasis'] as { value: { cooked: string } }[];
  const values = node['expressions'] as unknown[];
  const names = values.map((value, at) => nameOf(value) || `value${at + 1}`);
  return parts.map(({ value }, at) => value.cooked + (at < names.length ? `{${names[at]}}` : '')).join('');
}

/** The texts that an expression can be. */
function textsOf(node: unknown): string[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? [node['value']] : [];
    case 'TemplateLiteral':
      return [readTemplate(node)];
    case 'ConditionalExpression':
      return [...textsOf(node['consequent']), ...textsOf(node['alternate'])];
    case 'LogicalExpression':
      return [...textsOf(node['left']), ...textsOf(node['right'])];
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
      return textsOf(node['expression']);
    default:
      return [];
  }
}

const propertiesOf = (node: unknown): Node[] =>
  isNode(node) && node.type === 'ObjectExpression'
    ? (node['properties'] as Node[]).filter(({ type }) => type === 'Property')
    : [];
const propertyOf = (node: unknown, name: string): unknown =>
  propertiesOf(node).find(({ key }) => nameOf(key) === name)?.['value'];
const valuesOf = (node: unknown): string[] => propertiesOf(node).flatMap(({ value }) => textsOf(value));

/** Functions that take fields by name, those that take details, and those whose first argument is the text itself. */
const of_fields = new Set(['invalid', 'notFoundAsInvalid']);
const of_details = new Set(['fail', 'ApiError']);
const of_text = new Set(['refusalText', 'RuleError', 'CardError', 'TableError', 'refuse']);
/** Objects that hold what is wrong with each field; `errors` are those of a row of an import. */
const collections = new Set(['wrong', 'fields', 'errors']);

function refusalsOf(node: Node): string[] {
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const [first, second, third] = node['arguments'] as unknown[];
    const callee = nameOf(node['callee']);
    if (of_fields.has(callee)) return valuesOf(first);
    if (of_details.has(callee))
      return [...textsOf(propertyOf(second, 'message')), ...valuesOf(propertyOf(second, 'fields'))];
    if (of_text.has(callee)) return textsOf(first);
    if (callee === 'refuseName') return textsOf(third);
  }
  if (node.type === 'AssignmentExpression') {
    const left = node['left'] as Node;
    if (left.type === 'MemberExpression' && collections.has(nameOf(left['object']))) return textsOf(node['right']);
  }
  return [];
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit);
  else if (isNode(node)) {
    visit(node);
    for (const value of Object.values(node)) if (typeof value === 'object') walk(value, visit);
  }
}

/** The refusals in one file of the service. */
function collectFromCode(path: string, content: string): string[] {
  const found: string[] = [];
  walk(parseSync(path, content).program, (node) => found.push(...refusalsOf(node)));
  return found;
}

/** What is said of a value that has the wrong pattern, by the description of its schema. */
function collectFromSchema(schema: unknown, found: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  const expected = 'pattern' in schema ? expectedBy(schema) : undefined;
  // Those of identifiers are one message, with their prefix.
  if (expected !== undefined && !expected.startsWith('begins with ')) found.add(`is not valid: ${expected}`);
  for (const part of Object.values(schema)) collectFromSchema(part, found);
}

/** What the library of schemas says, with the values that its limits have. */
const of_schemas = [
  'is not valid: begins with {prefix}',
  'must match format "date-time"',
  'must be string',
  'must be integer',
  'must be number',
  'must be boolean',
  'must be object',
  'must be array',
  'must be null',
  'must be >= {limit}',
  'must be <= {limit}',
  'must be > {limit}',
  'must be < {limit}',
  'must not have more than {limit} characters',
  'must not have fewer than {limit} characters',
  'must not have more than {limit} items',
  'must not have fewer than {limit} items',
  'must not have more than {limit} properties',
  'must not have fewer than {limit} properties',
  'must not have duplicate items',
];

/** Every text with which the service can refuse, sorted: the names of the messages of `server/locales/refusals`. */
export function collectRefusals(): string[] {
  const found = new Set<string>([...Object.values(error_table).map(([, text]) => text), ...of_schemas]);
  for (const [path, content] of readRepository(join(import.meta.dirname, '..', '..')))
    if (/^server\/(?!app\/con|migrations|engines).*\.ts$/.test(path) && !path.endsWith('.d.ts') && !isTest(path))
      for (const text of collectFromCode(path, content)) found.add(text);
  const endpoints = features.flatMap((feature) => feature.endpoints);
  for (const { body, query, path } of endpoints) for (const one of [body, query, path]) collectFromSchema(one, found);
  // What follows stands in the catalogue by itself: the descriptions of all patterns.
  found.delete('is not valid: {expected}');
  found.delete('');
  return [...found].sort();
}

/**
 * Collects the error messages of the service for translation: the English texts in its code, its contracts and its
 * table of codes.
 */
import { join } from 'node:path';
import { parseSync } from 'vite';
import { features } from '../../server/features/index.ts';
import { error_table } from '../../server/kernel/errors.ts';
import { expectedBy, validation_texts } from '../../server/kernel/validation.ts';
import { isTest, readRepository } from '../tidy/repository.ts';

type Node = { type: string } & Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type === 'MemberExpression' && node['computed'] !== true) return nameOf(node['property']);
  return '';
};

/** A template literal as a message, with each value under its own name. */
function readTemplate(node: Node): string {
  const parts = node['quasis'] as { value: { cooked: string } }[];
  const values = node['expressions'] as unknown[];
  const names = values.map((value, at) => nameOf(value) || `value${at + 1}`);
  return parts.map(({ value }, at) => value.cooked + (at < names.length ? `{${names[at]}}` : '')).join('');
}

/** The texts that an expression may evaluate to. */
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

/**
 * Functions whose argument has texts by field, those that take details, and those whose first argument is the text
 * itself.
 */
const of_fields = new Set(['invalid', 'notFoundAsInvalid']);
const of_details = new Set(['fail', 'ApiError']);
const of_text = new Set(['refusalText', 'RuleError', 'CardError', 'TableError', 'refuse']);
/** Objects with an error text for each field; `errors` are those of a row of an import. */
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

/** The error texts in one file of the service. */
function collectFromCode(path: string, content: string): string[] {
  const found: string[] = [];
  walk(parseSync(path, content).program, (node) => found.push(...refusalsOf(node)));
  return found;
}

/** The error text of a value that does not match a pattern, which contains the description of its schema. */
function collectFromSchema(schema: unknown, found: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  const expected = 'pattern' in schema ? expectedBy(schema) : undefined;
  // The texts for identifiers are one message, with the prefix as its value.
  if (expected !== undefined && !expected.startsWith('begins with ')) found.add(`is not valid: ${expected}`);
  for (const part of Object.values(schema)) collectFromSchema(part, found);
}

/** The texts about values that do not match their schema. */
const of_schemas = ['is not valid: begins with {prefix}', ...validation_texts];

/** All error texts of the service, sorted: the keys of the messages of `server/locales/refusals`. */
export function collectRefusals(): string[] {
  const found = new Set<string>([...Object.values(error_table).map(([, text]) => text), ...of_schemas]);
  for (const [path, content] of readRepository(join(import.meta.dirname, '..', '..')))
    if (/^server\/(?!app\/con|migrations|engines).*\.ts$/.test(path) && !path.endsWith('.d.ts') && !isTest(path))
      for (const text of collectFromCode(path, content)) found.add(text);
  const endpoints = features.flatMap((feature) => feature.endpoints);
  for (const { body, query, path } of endpoints) for (const one of [body, query, path]) collectFromSchema(one, found);
  // The part after the colon is a separate message of the catalogue: the descriptions of all patterns.
  found.delete('is not valid: {expected}');
  found.delete('');
  return [...found].sort();
}

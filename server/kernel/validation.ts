/** Validation: compiles schemas, and words what is wrong with a value as errors of its fields. */
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { prefixesOf } from './id.ts';
import type { Fields } from './errors.ts';
import { expected_key } from './schema.ts';

/** Checks a value; returns its invalid fields, each with what is wrong as the end of a sentence, or undefined. */
export type Validate = (value: unknown) => Fields | undefined;

// Of a value that fits none of five schemas there are more errors than the eight that are collected by default, and the
// one about the union comes last.
Settings.Set({ maxErrors: 64 });

const compiled = new WeakMap<TSchema, Validate>();

/** A validator that returns the invalid fields, or undefined. Each schema is compiled once. */
export function compileValidator(schema: TSchema): Validate {
  const known = compiled.get(schema);
  if (known) return known;
  const validate = compile(schema);
  compiled.set(schema, validate);
  return validate;
}

function compile(schema: TSchema): Validate {
  const validator = Compile(schema);
  let bounds: Validator | undefined;
  return (value) => {
    if (validator.Check(value)) return undefined;
    const fields: Fields = {};
    // `Errors` evaluates every keyword, also the pattern of a text that is longer than allowed. So the lengths are
    // checked first, and patterns only if all texts are within theirs.
    bounds ??= Compile(withoutPatterns(schema) as TSchema);
    const errors = (bounds.Check(value) ? [] : bounds.Errors(value)) as Finding[];
    for (const error of ofNearestBranches(errors)) addFinding(fields, error, schema);
    if (!errors.some(({ keyword }) => keyword === 'maxLength'))
      for (const error of ofNearestBranches(validator.Errors(value) as Finding[])) addFinding(fields, error, schema);
    return Object.keys(fields).length > 0 ? fields : { body: 'is not valid' };
  };
}

/** A copy of a schema without its patterns. */
function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.entries(schema).flatMap(([key, value]) =>
    key === 'pattern' && typeof value === 'string' ? [] : [[key, withoutPatterns(value)] as const],
  );
  return Object.fromEntries(copy);
}

type Finding = {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: Record<string, unknown>;
};

/**
 * Of each union, the errors of the schema that the value is nearest to: the other ones say nothing about a value that
 * is meant for that one. If several are equally near, only that the value fits none of them.
 */
function ofNearestBranches(errors: Finding[]): Finding[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf');
  // From the inside outwards.
  const ordered = unions.toSorted((a, b) => b.schemaPath.length - a.schemaPath.length);
  return ordered.reduce(keepNearestBranch, errors);
}

function keepNearestBranch(errors: Finding[], union: Finding): Finding[] {
  const { schemaPath, instancePath } = union;
  const start = `${schemaPath}/anyOf/`;
  // The items of a list share the path of their schema.
  const isOfBranch = (error: Finding) =>
    error.schemaPath.startsWith(start) && `${error.instancePath}/`.startsWith(`${instancePath}/`);
  const branches = Map.groupBy(
    errors.filter(isOfBranch),
    (error) => error.schemaPath.slice(start.length).split('/', 1)[0],
  );
  /** A value of another type is farthest; otherwise missing and unknown properties count. */
  const distanceOf = (branch: Finding[]) =>
    branch
      .filter((error) => error.instancePath === instancePath)
      .map(({ keyword, params }) => {
        if (keyword === 'type') return Infinity;
        return [params['requiredProperties'], params['additionalProperties']].flatMap((names) => names ?? []).length;
      })
      .reduce((sum, one) => sum + one, 0);
  const distances = [...branches.values()].map((branch) => ({ branch, distance: distanceOf(branch) }));
  const min = Math.min(...distances.map(({ distance }) => distance));
  const nearest = distances.filter(({ distance }) => distance === min);
  const [only] = nearest;
  const is_one = nearest.length === 1 || min === Infinity;
  const kept = new Set(is_one && only ? only.branch : [union]);
  return errors.filter((error) => kept.has(error) || (error !== union && !isOfBranch(error)));
}

/** What is wrong with a value by the keyword of its schema, as the end of a sentence about it. */
const keyword_texts: Record<string, string> = {
  maxLength: 'must have at most {limit} characters',
  minLength: 'must have at least {limit} characters',
  maxItems: 'must have at most {limit} items',
  minItems: 'must have at least {limit} items',
  maxProperties: 'must have at most {limit} fields',
  minProperties: 'must have at least {limit} fields',
  maximum: 'must be at most {limit}',
  minimum: 'must be at least {limit}',
  exclusiveMaximum: 'must be less than {limit}',
  exclusiveMinimum: 'must be greater than {limit}',
  uniqueItems: 'must not contain duplicates',
  format: 'is not a valid date and time',
};

const type_texts: Record<string, string> = {
  string: 'must be a string',
  integer: 'must be a whole number',
  number: 'must be a number',
  boolean: 'must be true or false',
  object: 'must be an object',
  array: 'must be a list',
  null: 'must be null',
};

const empty_text = 'must not be empty';

/** All of these texts, for the catalogue of translations. */
export const validation_texts = [...Object.values(keyword_texts), ...Object.values(type_texts), empty_text];

function describeFinding({ keyword, params: { limit, type } }: Finding): string {
  if (keyword === 'type') return type_texts[String(type)] ?? 'is not valid';
  if (limit === 1 && ['minLength', 'minItems', 'minProperties'].includes(keyword)) return empty_text;
  return keyword_texts[keyword]?.replace('{limit}', String(limit)) ?? 'is not valid';
}

/** Adds the first error of each field, worded without naming a schema. */
function addFinding(fields: Fields, finding: Finding, schema: TSchema): void {
  const { keyword, schemaPath, instancePath, params } = finding;
  const path = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const at = (name: string) => (path ? `${path}.${name}` : name);
  if (keyword === 'required') {
    for (const name of params['requiredProperties'] as string[]) fields[at(name)] ??= 'is required';
  } else if (keyword === 'additionalProperties') {
    for (const name of params['additionalProperties'] as string[]) fields[at(name)] = 'is not a known field';
  } else if (keyword === 'boolean') {
    fields[path] ??= 'is not a known field';
  } else if (keyword === 'pattern') {
    const expected = expectedBy(schemaAt(schema, schemaPath));
    fields[path || 'body'] ??= expected ? `is not valid: ${expected}` : 'is not valid';
  } else if (keyword === 'anyOf' || keyword === 'const' || keyword === 'enum') {
    fields[path || 'body'] ??= 'is not one of the allowed values';
  } else {
    fields[path || 'body'] ??= describeFinding(finding);
  }
}

/** A sentence turned into the end of another: without its capital, unless that belongs to a name, and its full stop. */
const asClause = (sentence: string): string =>
  (/^(?:[A-Z][a-z]|A )/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence).replace(
    /\.$/,
    '',
  );

type Described = { pattern?: unknown; description?: unknown; [expected_key]?: unknown };

/**
 * What a pattern accepts, as the end of a sentence: identifiers by their prefix, since the description of such a field
 * states its purpose; others by their words for people, or their description.
 */
export function expectedBy(schema: Described): string | undefined {
  const { pattern, description, [expected_key]: expected = description } = schema;
  const prefixes = typeof pattern === 'string' ? prefixesOf(pattern) : [];
  if (prefixes.length > 0) return `begins with ${prefixes.map((one) => `${one}_`).join(' or ')}`;
  return typeof expected === 'string' ? asClause(expected) : undefined;
}

/** The schema at a path such as `#/properties/username` (JSON Pointer, RFC 6901). */
function schemaAt(schema: TSchema, path: string): Described {
  let at: unknown = schema;
  for (const step of path.split('/').slice(1))
    at = (at as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  return (at ?? {}) as Described;
}

/** Schemas: the words in which contracts describe bodies and replies, and their validation into named fields. */
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { idPattern, type IdPrefix } from './id.ts';
import type { Fields } from './errors.ts';
import { default_limits } from './limits.ts';

export { Type };
export type { Static, TObject, TSchema };

/** The key under which a schema carries the name that it has in the OpenAPI document's components. */
export const component_key = 'x-component';

/** An object that has these properties and no others. */
export function object<P extends TProperties>(properties: P, options: { description?: string } = {}): TObject<P> {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** Gives a schema its name among the components of the OpenAPI document. */
export function component<S extends TSchema>(name: string, schema: S): S {
  return { ...schema, [component_key]: name };
}

/** One of a few words. */
export function oneOf<const V extends readonly string[]>(...values: V) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values] });
}

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const optional = Type.Optional;
export const idOf = (prefix: IdPrefix) =>
  Type.String({ pattern: idPattern(prefix), description: `Begins with ${prefix}_.` });

/** A moment in a reply. */
export const moment = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
  description: 'UTC, whole seconds.',
});

/** Text for people, between two lengths in characters. */
export const text = (minLength: number, maxLength: number, description?: string) =>
  Type.String({ minLength, maxLength, ...(description ? { description } : {}) });

/** Text for people of which something is seen. */
export const visibleText = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: '\\S', description: 'Not blank.' });

/** The envelope of every list. */
export const listOf = <S extends TSchema>(item: S) =>
  object({ items: Type.Array(item, { maxItems: default_limits.page_items }), has_more: Type.Boolean() });

/** The reply of a count. */
export const Count = component('Count', object({ count: Type.Integer({ minimum: 0 }) }));

export type Validate = (value: unknown) => Fields | undefined;

const compiled = new WeakMap<TSchema, Validate>();

/** A check that answers the fields that are wrong, or undefined when all is well. A schema is compiled once. */
export function compileValidator(schema: TSchema): Validate {
  const known = compiled.get(schema);
  if (known) return known;
  const validate = compile(schema);
  compiled.set(schema, validate);
  return validate;
}

function compile(schema: TSchema): Validate {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return undefined;
    const fields: Fields = {};
    for (const error of validator.Errors(value) as Finding[]) note(fields, error);
    return Object.keys(fields).length > 0 ? fields : { body: 'is not valid' };
  };
}

type Finding = { keyword: string; instancePath: string; params: Record<string, unknown>; message: string };

/** Keeps the first finding of each field, in words that name no schema. */
function note(fields: Fields, { keyword, instancePath, params, message }: Finding): void {
  const path = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const at = (name: string) => (path ? `${path}.${name}` : name);
  if (keyword === 'required') {
    for (const name of params['requiredProperties'] as string[]) fields[at(name)] ??= 'is required';
  } else if (keyword === 'additionalProperties') {
    for (const name of params['additionalProperties'] as string[]) fields[at(name)] = 'is not a known field';
  } else if (keyword === 'boolean') {
    fields[path] ??= 'is not a known field';
  } else if (keyword === 'pattern') {
    fields[path || 'body'] ??= 'has not the right form';
  } else if (keyword === 'anyOf' || keyword === 'const' || keyword === 'enum') {
    fields[path || 'body'] ??= 'has not one of the allowed values';
  } else {
    fields[path || 'body'] ??= message;
  }
}

/** Schemas: the vocabulary of contracts for bodies and replies. */
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { idPattern, type IdPrefix } from './id.ts';
import { default_limits } from './load/limits.ts';

export { Type };
export type { Static, TObject, TSchema };

/** The key under which a schema stores its name among the components of the OpenAPI document. */
export const component_key = 'x-component';

/**
 * The key of what a pattern accepts, in words for people, where the description is for developers. A symbol, so that it
 * is not part of the OpenAPI document.
 */
export const expected_key = Symbol('expected');

/** An object with these properties and no others. */
export function object<P extends TProperties>(properties: P, options: { description?: string } = {}): TObject<P> {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** Names a schema among the components of the OpenAPI document. */
export function component<S extends TSchema>(name: string, schema: S): S {
  return { ...schema, [component_key]: name };
}

/** One of a few literals. */
export function oneOf<const V extends readonly string[]>(...values: V) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values] });
}

/** A value, or null. */
export const nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);
/** A member that may be absent. */
export const optional = Type.Optional;
/** An identifier of one type of object. */
export const idOf = (prefix: IdPrefix) =>
  Type.String({ pattern: idPattern(prefix), description: `Starts with ${prefix}_.` });

/** A timestamp in a reply. */
export const moment = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
  description: 'UTC, whole seconds.',
});

/** Text for people, with a minimum and maximum length in characters. */
export const text = (minLength: number, maxLength: number, description?: string) =>
  Type.String({ minLength, maxLength, ...(description ? { description } : {}) });

/**
 * Invisible characters, for a character class: blanks, joiners, direction marks, fillers, variation selectors and tags
 * (Unicode's Default_Ignorable_Code_Point, and those that fonts draw as nothing). Without `\\p{…}`, which not every
 * reader of the OpenAPI document supports.
 */
const invisible =
  '\\s\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u0300-\\u036F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F' +
  '\\u2028-\\u202F\\u205F-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\u{1D159}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}';
/** Line separators, direction overrides, and controls other than tabs and line ends. */
const turning = '\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069';
const turning_or_control = `\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F${turning}`;
/** Characters that are not allowed in a single line. */
const disruptive = `\\u0000-\\u001F${turning}`;

/** Text for people with at least one visible character. */
export const visibleText = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: `[^${invisible}]`, description: 'Must contain visible text.' });

/**
 * Text of one or a few lines that is shown beside others, such as the title of an event or the name of a contact: it
 * has a visible character, and cannot change the direction of what follows it.
 */
export const headingText = (minLength: number, maxLength: number) =>
  Type.String({
    minLength,
    maxLength,
    pattern: `^(?=[^${turning_or_control}]*[^${invisible}])[^${turning_or_control}]*$`,
    description: 'Must contain visible text, without control or direction characters.',
  });

/** Removes these characters from a text instead of refusing it. */
export const withoutDisruptive = (given: string): string => given.replaceAll(disruptive_characters, '');
const disruptive_characters = new RegExp(`[${disruptive}]`, 'g');

/**
 * A single line that is shown beside other texts, such as a name or a title: it has a visible character, and cannot
 * break the line or change its direction. With `minLength` 0 it may be empty.
 */
export const lineText = (minLength: number, maxLength: number) =>
  Type.String({
    minLength,
    maxLength,
    pattern: `^${minLength === 0 ? '(?:$|' : '(?:'}(?=.*[^${invisible}])[^${disruptive}]*$)`,
    description: 'Must be one line with visible text, without control or direction characters.',
  });

/** The envelope of every list. */
export const listOf = <S extends TSchema>(item: S) =>
  object({ items: Type.Array(item, { maxItems: default_limits.page_items }), has_more: Type.Boolean() });

/** The reply of counting operations. */
export const Count = component('Count', object({ count: Type.Integer({ minimum: 0 }) }));

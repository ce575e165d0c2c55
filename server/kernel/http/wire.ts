/** Input parsing: JSON bodies, query parameters, and text that the database cannot store. */
import { isUtf8 } from 'node:buffer';
import { ApiError, refusalText, type Fields } from '../errors.ts';
import type { TSchema } from '../schema.ts';

/**
 * Parses a JSON body. An empty body is undefined.
 * @throws ApiError `bad_request` when it is not JSON, or contains a prototype key (prototype pollution)
 */
export function parseJson(body: string): unknown {
  if (body.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    throw new ApiError('bad_request', { cause });
  }
  if (/"(?:_|\\u005f){2}(?:p|\\u0070)/i.test(body) && namesPrototype(value)) {
    throw new ApiError('validation_failed', { fields: { ['__proto__']: 'is not a known field' } });
  }
  return value;
}

/** Walks a value without recursion, since a body may be nested ten thousand levels deep. */
function* members(
  root: unknown,
): Generator<{ path: string; value: unknown; holder: object | undefined; name: string }> {
  const stack: { path: string; value: unknown; holder: object | undefined; name: string }[] = [
    { path: '', value: root, holder: undefined, name: '' },
  ];
  for (let next = stack.pop(); next; next = stack.pop()) {
    yield next;
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const name of Object.keys(next.value)) {
      const value = Object.getOwnPropertyDescriptor(next.value, name)?.value as unknown;
      // Paths are kept short, so that a deep body does not cost quadratic time.
      const path = next.path.length > 200 ? next.path : next.path ? `${next.path}.${name}` : name;
      stack.push({ path, value, holder: next.value, name });
    }
  }
}

function namesPrototype(value: unknown): boolean {
  for (const { name } of members(value)) if (name === '__proto__') return true;
  return false;
}

/**
 * Fields with text that PostgreSQL cannot store: NUL, or an unpaired surrogate. Both can occur in JSON only as escapes
 * (or as U+FFFD, which is fine), so that most bodies pass after one scan.
 */
export function findUnstorable(raw: string, body: unknown): Fields | undefined {
  if (!/\\u(?:0000|d[89a-f])/i.test(raw)) return undefined;
  for (const { path, value, name } of members(body)) {
    for (const text of [value, name]) {
      if (typeof text === 'string' && (text.includes('\0') || !text.isWellFormed()))
        return { [path || 'body']: refusalText('contains characters that are not allowed') };
    }
  }
  return undefined;
}

/** Whether an address is UTF-8, before and after percent-decoding (RFC 3986, section 2.5). */
export function isText(url: string): boolean {
  // Node delivers one byte per character here.
  if (/[\x80-\xff]/.test(url) && !isUtf8(Buffer.from(url, 'latin1'))) return false;
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

type Property = { type?: string };

/**
 * Keeps the query parameters of the schema and converts them to its types. Invalid numbers stay text, which the schema
 * then rejects.
 */
export function coerceQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as unknown as { properties: Record<string, Property> }).properties;
  const known: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const given = query[name];
    const value = Array.isArray(given) ? given.at(-1) : given;
    if (value === undefined) continue;
    known[name] = coerce(String(value), property.type);
  }
  return known;
}

function coerce(value: string, type: string | undefined): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

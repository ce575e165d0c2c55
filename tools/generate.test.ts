import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from '../sdk/generated/operations.ts';
import type { OperationEntry } from '../sdk/operation-types.ts';
import { endpoints } from '../server/app/app.ts';
import { generate } from './generate.ts';
import { slow } from '../testing/slow-tests.ts';

type Schema = { properties?: Record<string, Schema>; items?: Schema; pattern?: string };

const entries = new Map<string, OperationEntry>(Object.values(operations).flatMap((area) => Object.entries(area)));

it('every committed generated document equals the output of generate()', slow, () => {
  for (const [path, text] of generate()) {
    const committed = readFileSync(join(import.meta.dirname, '..', path), 'utf8');
    expect(committed === text, `${path} is not what npm run generate writes`).toBe(true);
  }
});

/** The lists of pages; changes of a calendar are not pages, but read from a cursor on. */
const lists = endpoints.filter(({ query, reply, route }) => {
  const members = (reply as Schema | undefined)?.properties ?? {};
  const { limit } = (query as Schema | undefined)?.properties ?? {};
  return 'items' in members && 'has_more' in members && limit !== undefined && route !== 'GET /calendar/sync';
});

it.each(lists.map((list) => [list.id, list] as const))('%s can be iterated by the SDK to its end', (id, list) => {
  const { paging, cursor = 'id' } = entries.get(id) ?? {};
  const { before_id, offset } = (list.query as Schema | undefined)?.properties ?? {};
  expect(paging).toBe(before_id === undefined ? 'offset' : 'before_id');
  if (paging === 'offset') return expect(offset).toBeDefined();
  // What is sent as `before_id` of the next page is a member of an item that has the format of the parameter.
  const item = (list.reply as Schema).properties?.['items']?.items;
  const member = cursor.split('.').reduce((schema, name) => schema?.properties?.[name], item);
  expect(member?.pattern).toBeDefined();
  expect(before_id?.pattern?.split('|')).toEqual(expect.arrayContaining(member?.pattern?.split('|') ?? []));
});

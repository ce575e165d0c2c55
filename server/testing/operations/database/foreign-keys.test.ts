/**
 * Foreign keys to rows that are deleted have an index: otherwise each deletion reads the whole referring table, and
 * deletions in portions exceed the time limit of a statement as the table grows.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../world/world.ts';

/** Tables whose rows are never deleted, and why. */
const kept: Record<string, string> = {
  abuse_reports: 'operators keep what they decided',
  calls: 'a call remains in the history of its people',
  tags: 'the row keeps the name, which is reserved',
  users: 'an empty row remains as a deleted user',
};

/** An index serves a foreign key if it begins with its column, and leaves out nothing but null. */
const without_index = `
  select c.conrelid::regclass || '.' || a.attname as reference, c.confrelid::regclass::text as referenced
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not exists (
    select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
      and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = '(' || a.attname || ' IS NOT NULL)'))
  order by 1`;

describe('foreign keys', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  it('have an index, except for those to rows that are never deleted', async () => {
    const { rows } = await world.app.services.db.native.query<{ reference: string; referenced: string }>(without_index);
    const missing = rows.filter(({ referenced }) => !(referenced in kept)).map(({ reference }) => reference);
    expect(missing).toEqual([]);
    // Each exception is still one.
    expect([...new Set(rows.map(({ referenced }) => referenced))].sort()).toEqual(Object.keys(kept).sort());
  });
});

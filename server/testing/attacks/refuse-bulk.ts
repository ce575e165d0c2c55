import type { World } from '../world/world.ts';

/** Makes a statement fail that deletes more rows of a table than a portion. */
export async function refuseBulk({ app }: World, table: string): Promise<void> {
  await app.services.db.native.query(`
    create or replace function refuse_bulk() returns trigger language plpgsql as $$
    begin
      if (select count(*) from gone) > 1000 then raise exception 'too many rows in one statement'; end if;
      return null;
    end $$`);
  await app.services.db.native.query(`
    create trigger refuse_bulk after delete on ${table} referencing old table as gone
    for each statement execute function refuse_bulk()`);
}

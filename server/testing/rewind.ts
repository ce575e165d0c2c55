/** Tests of one file share a world and nothing else: before each, the world is as the file's `beforeAll` left it. */
import { beforeEach } from 'vitest';
import type { World } from './world.ts';

/** Where the rows are kept meanwhile, in the database of the world itself. */
const kept_schema = 'kept_rows';

/** Every table that a test may change. The job runner remembers its kinds of jobs by their rows, which therefore stay. */
const changed_tables = `
  select c.oid::regclass as name, format('${kept_schema}.%I', 't' || c.oid) as kept,
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
     where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and (n.nspname = 'public' and c.relname <> 'migrations'
    or n.nspname = 'graphile_worker' and c.relname in ('_private_jobs', '_private_job_queues'))`;

const keep_rows = `
  do $$
  declare t record; filled boolean;
  begin
    create schema ${kept_schema};
    for t in ${changed_tables} loop
      execute format('select exists (select from %s)', t.name) into filled;
      if filled then execute format('create table %s as select %s from %s', t.kept, t.columns, t.name); end if;
    end loop;
  end $$`;

const restore_rows = `
  do $$
  declare t record;
  begin
    -- The rows fit together already: neither triggers nor foreign keys need to look at them again.
    set local session_replication_role = replica;
    for t in ${changed_tables} loop
      execute format('delete from %s', t.name);
      if to_regclass(t.kept) is not null then
        execute format('insert into %s (%s) overriding system value select * from %s', t.name, t.columns, t.kept);
      end if;
    end loop;
  end $$`;

const copyRooms = (rooms: World['rooms']): World['rooms'] =>
  new Map([...rooms].map(([room, identities]) => [room, new Set(identities)]));

/**
 * Makes the tests of a file independent of each other: registers a `beforeEach` that puts rows, budgets, caught messages
 * and rooms back to what `beforeAll` left. The clock goes on, with the sessions of all who were signed in.
 * @param find answers the file's world, which stands when the first test begins
 */
export function rewindEach(find: () => World): void {
  let kept_at_ms: number | undefined;
  let kept_rooms: World['rooms'] = new Map();
  beforeEach(async () => {
    const world = find();
    const { db } = world.app.services;
    if (kept_at_ms === undefined) {
      kept_at_ms = world.clock.offset_ms();
      kept_rooms = copyRooms(world.rooms);
      await db.native.query(keep_rows);
      return;
    }
    await db.native.query(restore_rows);
    world.forget();
    world.rooms.clear();
    for (const [room, identities] of copyRooms(kept_rooms)) world.rooms.set(room, identities);
    await extendSessions(world, Math.max(0, (world.clock.offset_ms() - kept_at_ms) / 1000));
  });
}

/** Lets everybody stay signed in for longer, by so many seconds. */
export async function extendSessions({ app }: World, seconds: number): Promise<void> {
  const { db, sessions } = app.services;
  const longer = 'expires_at = expires_at + make_interval(secs => $1)';
  await db.native.query(`update session_tokens set ${longer}`, [seconds]);
  const { rows } = await db.native.query<{ id: string }>(`update sessions set ${longer} returning id`, [seconds]);
  for (const { id } of rows) sessions.drop(id);
}

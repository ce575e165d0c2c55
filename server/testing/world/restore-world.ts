/** The tests of one file share only a world: before each test, the world is as the file's `beforeAll` left it. */
import { beforeEach } from 'vitest';
import { readRows, restoreRows, type StoredRows } from './stored-rows.ts';
import type { World } from './world.ts';

const copyRooms = (rooms: World['rooms']): World['rooms'] =>
  new Map([...rooms].map(([room, identities]) => [room, new Set(identities)]));

/**
 * Makes the tests of a file independent of each other: registers a `beforeEach` that restores rows, budgets, caught
 * messages and rooms to what `beforeAll` left. The clock continues, with the sessions of all accounts that were signed
 * in.
 * @param find returns the file's world, which exists when the first test begins
 */
export function restoreBeforeEach(find: () => World): void {
  let stored_at_ms: number | undefined;
  let stored_rows: StoredRows | undefined;
  let stored_rooms: World['rooms'] = new Map();
  beforeEach(async () => {
    const world = find();
    const { db } = world.app.services;
    if (stored_at_ms === undefined || stored_rows === undefined) {
      stored_at_ms = world.clock.offset_ms();
      stored_rooms = copyRooms(world.rooms);
      stored_rows = await readRows(db.native);
      return;
    }
    const client = await db.native.connect();
    await restoreRows(client, stored_rows).finally(() => client.release());
    world.forget();
    world.rooms.clear();
    for (const [room, identities] of copyRooms(stored_rooms)) world.rooms.set(room, identities);
    await extendSessions(world, Math.max(0, (world.clock.offset_ms() - stored_at_ms) / 1000));
  });
}

/** Extends all sessions by a number of seconds. */
export async function extendSessions({ app }: World, seconds: number): Promise<void> {
  const { db, sessions } = app.services;
  const extended = 'expires_at = expires_at + make_interval(secs => $1)';
  await db.native.query(`update session_tokens set ${extended}`, [seconds]);
  const { rows } = await db.native.query<{ id: string }>(`update sessions set ${extended} returning id`, [seconds]);
  for (const { id } of rows) sessions.drop(id);
}

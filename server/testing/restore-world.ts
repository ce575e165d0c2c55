/** Tests of one file share a world and nothing else: before each, the world is as the file's `beforeAll` left it. */
import { beforeEach } from 'vitest';
import { readRows, restoreRows, type StoredRows } from './stored-rows.ts';
import type { World } from './world.ts';

const copyRooms = (rooms: World['rooms']): World['rooms'] =>
  new Map([...rooms].map(([room, identities]) => [room, new Set(identities)]));

/**
 * Makes the tests of a file independent of each other: registers a `beforeEach` that puts rows, budgets, caught messages
 * and rooms back to what `beforeAll` left. The clock goes on, with the sessions of all who were signed in.
 * @param find answers the file's world, which stands when the first test begins
 */
export function restoreBeforeEach(find: () => World): void {
  let kept_at_ms: number | undefined;
  let kept_rows: StoredRows | undefined;
  let kept_rooms: World['rooms'] = new Map();
  beforeEach(async () => {
    const world = find();
    const { db } = world.app.services;
    if (kept_at_ms === undefined || kept_rows === undefined) {
      kept_at_ms = world.clock.offset_ms();
      kept_rooms = copyRooms(world.rooms);
      kept_rows = await readRows(db.native);
      return;
    }
    const client = await db.native.connect();
    await restoreRows(client, kept_rows).finally(() => client.release());
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

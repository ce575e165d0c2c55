/** A device that is connected in the process of the test, and what it hears. */
import { Writable } from 'node:stream';
import { expect } from 'vitest';
import type { Connection } from '../kernel/realtime/connections.ts';
import type { Persona } from './personas.ts';
import type { World } from './world.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests read events freely
export type Heard = { type: string; data: any };

/** Connects somebody, and resolves to the list of what they hear from then on. */
export async function listen(world: World, who: Persona): Promise<Heard[]> {
  const heard: Heard[] = [];
  const connection: Connection = {
    user_id: who.id,
    session_id: who.session_id,
    channel: new Writable({ write: (_chunk, _encoding, done) => done() }),
    send: ({ text }) => heard.push(JSON.parse(text)),
    close: () => undefined,
  };
  await world.app.services.realtime.join(connection, undefined, () => undefined);
  const { db } = world.app.services;
  await expect
    .poll(async () => (await db.native.query('select 1 from presence where user_id = $1', [who.id])).rowCount)
    .toBeGreaterThan(0);
  return heard;
}

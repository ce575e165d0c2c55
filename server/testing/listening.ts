/** A device that is connected in the process of the test, and the events that it receives. */
import { Writable } from 'node:stream';
import { expect } from 'vitest';
import type { Connection } from '../kernel/realtime/connections.ts';
import type { Persona } from './personas.ts';
import type { World } from './world.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests read events freely
export type ReceivedEvent = { type: string; data: any };

/** Connects an account, and resolves to the growing list of its events. */
export async function listen(world: World, persona: Persona): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  const connection: Connection = {
    user_id: persona.id,
    session_id: persona.session_id,
    channel: new Writable({ write: (_chunk, _encoding, done) => done() }),
    send: ({ text }) => events.push(JSON.parse(text)),
    close: () => undefined,
  };
  await world.app.services.realtime.join(connection, undefined, () => undefined);
  const { db } = world.app.services;
  await expect
    .poll(async () => (await db.native.query('select 1 from presence where user_id = $1', [persona.id])).rowCount)
    .toBeGreaterThan(0);
  return events;
}

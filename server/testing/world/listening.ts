/** A device that is connected in the process of the test, and the events that it receives. */
import { Writable } from 'node:stream';
import { expect } from 'vitest';
import type { Connection } from '../../kernel/realtime/receivers.ts';
import type { Persona } from './personas.ts';
import type { World } from './world.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests read events freely
export type ReceivedEvent = { type: string; data: any };

/** An account, or a guest, who has no presence. */
type Listener = Pick<Persona, 'id'> & Partial<Pick<Persona, 'session_id'>>;

/** The data of the events of one type that an account receives from now on. */
export async function listenTo(world: World, listener: Listener, type: string): Promise<() => ReceivedEvent['data'][]> {
  const events = await listen(world, listener);
  return () => events.filter((event) => event.type === type).map(({ data }) => data);
}

/** The types of all events in the outbox. */
export async function storedTypes(world: World): Promise<string[]> {
  const { rows } = await world.app.services.db.native.query<{ type: string }>('select distinct type from events');
  return rows.map(({ type }) => type);
}

/** Connects an account, and resolves to the growing list of its events. */
export async function listen(world: World, persona: Listener): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  const connection: Connection = {
    user_id: persona.id,
    session_id: persona.session_id ?? persona.id,
    channel: new Writable({ write: (_chunk, _encoding, done) => done() }),
    isValid: () => Promise.resolve(true),
    send: ({ text }) => events.push(JSON.parse(text)),
    close: () => undefined,
  };
  await world.app.services.realtime.join(connection, undefined, () => undefined);
  if (persona.session_id === undefined) return events;
  const { db } = world.app.services;
  await expect
    .poll(async () => (await db.native.query('select 1 from presence where user_id = $1', [persona.id])).rowCount)
    .toBeGreaterThan(0);
  return events;
}

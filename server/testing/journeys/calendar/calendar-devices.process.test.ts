/**
 * Three devices that sync one calendar, and lose replies and acknowledgements, end with the same events: a long random
 * run.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom, seedOf } from '../../../../testing/seed.ts';
import { createEvent } from '../../steps/calendar.ts';
import { findPersonas, signInAgain, type Persona } from '../../world/personas.ts';
import { createWorld, type World } from '../../world/world.ts';

const { seed, label } = seedOf(91);
/** The total number of edits. */
const edits = Number(process.env['EDITS'] ?? 600);

type Device = { account: Persona; events: Map<string, unknown>; cursor: string | undefined };

describe(`devices that sync a calendar (${label})`, () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000000' } });
  });
  afterAll(() => world.close());

  /** Fetches one page into a device's events; by its own cursor, or by what the session has acknowledged. */
  async function pull(device: Device, limit: number, by_cursor: boolean) {
    const cursor = by_cursor && device.cursor !== undefined ? `&cursor=${device.cursor}` : '';
    const { status, body } = await world.call(`GET /calendar/sync?limit=${limit}${cursor}`, {
      token: device.account.token,
    });
    expect(status).toBe(200);
    for (const { op, event, event_id } of body.items)
      if (op === 'upsert') device.events.set(event.id, event);
      else device.events.delete(event_id);
    device.cursor = body.cursor;
    return body;
  }

  it('have equal events in the end', { timeout: 120_000 + edits * 30 }, async () => {
    const { alice } = findPersonas();
    const random = randomFrom(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const devices: Device[] = [];
    for (let at = 0; at < 3; at++)
      devices.push({ account: await signInAgain(world, alice), events: new Map(), cursor: undefined });
    const ids: string[] = [];
    for (let edit = 0; edit < edits; edit++) {
      const device = devices[pick(3)] as Device;
      const { token } = device.account;
      const id = ids[pick(ids.length)];
      const act = random();
      if (id === undefined || (ids.length < 80 && act < 0.3)) ids.push((await createEvent(world, device.account)).id);
      else if (act < 0.85) await world.call(`PATCH /calendar/events/${id}`, { token, body: { title: `Edit ${edit}` } });
      else {
        await world.call(`DELETE /calendar/events/${id}`, { token });
        ids.splice(ids.indexOf(id), 1);
      }
      if (random() < 0.3) {
        const { cursor } = await pull(device, 1 + pick(20), random() < 0.5);
        if (random() < 0.5) await world.call('POST /calendar/sync/ack', { token, body: { cursor } });
      }
    }
    const expected = new Map<string, unknown>();
    for (let before = ''; ;) {
      const { body } = await world.call(`GET /calendar/events?limit=100${before}`, { token: alice.token });
      for (const event of body.items) expected.set(event.id, event);
      if (!body.has_more) break;
      before = `&before_id=${body.items.at(-1).id}`;
    }
    for (const device of devices) {
      while ((await pull(device, 100, true)).has_more);
      expect(device.events).toEqual(expected);
    }
  });
});

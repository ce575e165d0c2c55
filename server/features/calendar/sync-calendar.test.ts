import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom, seedOf } from '../../../testing/seed.ts';
import { refusedFields, createEvent, shareEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, advanceDays, signInAgain, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

const { seed, label } = seedOf(90);

describe('GET /calendar/sync', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const sync = ({ token }: { token: string }, query = '') => world.call(`GET /calendar/sync?${query}`, { token });
  const ack = ({ token }: { token: string }, cursor: string) =>
    world.call('POST /calendar/sync/ack', { token, body: { cursor } });

  it('returns everything at first, then the changes since the cursor, repeatably', async () => {
    const { alice, bob } = people;
    const [first_event, second_event] = [
      await createEvent(world, alice, { title: 'One' }),
      await createEvent(world, alice, { title: 'Two' }),
    ];
    const first = await sync(alice, 'limit=1');
    expect(first.body).toMatchObject({ items: [{ op: 'upsert', event: { id: first_event.id } }], has_more: true });
    const second = await sync(alice, `limit=1&cursor=${first.body.cursor}`);
    expect(second.body).toMatchObject({ items: [{ op: 'upsert', event: { id: second_event.id } }], has_more: false });
    await shareEvent(world, first_event, alice, [bob]);
    await world.call(`DELETE /calendar/events/${second_event.id}`, { token: alice.token });
    for (let time = 0; time < 2; time++) {
      const next = await sync(alice, `cursor=${second.body.cursor}`);
      expect(next.body.items).toMatchObject([
        { op: 'upsert', event: { id: first_event.id } },
        { op: 'delete', event_id: second_event.id },
      ]);
    }
    expect((await sync(bob)).body.items).toMatchObject([
      { op: 'upsert', event: { id: first_event.id, role: 'guest' } },
    ]);
    const { cursor } = (await sync(bob)).body;
    await world.call(`DELETE /calendar/events/${first_event.id}/share`, { token: alice.token });
    expect((await sync(bob, `cursor=${cursor}`)).body.items).toEqual([{ op: 'delete', event_id: first_event.id }]);
    // A full sync does not include deletions.
    expect((await sync(bob, 'cursor=')).body.items).toEqual([]);
  });

  it('keeps deletions for 90 days; an older cursor gets 410 and requires a full sync', async () => {
    const { carol } = people;
    const kept = await createEvent(world, carol);
    const gone = await createEvent(world, carol);
    const { cursor } = (await sync(carol)).body;
    await ack(carol, cursor);
    await world.call(`DELETE /calendar/events/${gone.id}`, { token: carol.token });
    await advanceDays(world, 89);
    expect((await sync(carol, `cursor=${cursor}`)).body.items).toEqual([{ op: 'delete', event_id: gone.id }]);
    expect((await sync(carol)).body.items).toEqual([{ op: 'delete', event_id: gone.id }]);
    await advanceDays(world, 2);
    const old = await sync(carol, `cursor=${cursor}`);
    expect([old.status, old.body.error.code]).toEqual([410, 'gone']);
    // An acknowledgement that is this old is ignored.
    expect((await sync(carol)).body.items[0]).toMatchObject({ op: 'upsert', event: { id: kept.id } });
    expect((await sync(carol, 'cursor=')).body.items).toMatchObject([{ op: 'upsert', event: { id: kept.id } }]);
  });

  it('rejects a malformed cursor with 422 and one from the future with 410', async () => {
    for (const invalid of ['x', '%00', 'MQ', 'a'.repeat(65)])
      expect(refusedFields(await sync(people.alice, `cursor=${invalid}`))).toEqual([422, ['cursor']]);
    const ahead = Buffer.from(`999999.${Math.floor(world.clock.now().getTime() / 1000)}`).toString('base64url');
    expect((await sync(people.alice, `cursor=${ahead}`)).status).toBe(410);
  });

  it(`keeps three devices that lose acknowledgements consistent (${label})`, slow, async () => {
    const { bob } = people;
    const random = randomFrom(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const devices: { who: Persona; held: Map<string, unknown> }[] = [];
    for (let at = 0; at < 3; at++) devices.push({ who: await signInAgain(world, bob), held: new Map() });
    const ids: string[] = [];
    const pull = async ({ who, held }: { who: Persona; held: Map<string, unknown> }) => {
      // Without a cursor, the last acknowledgement applies, and changes repeat if it was lost.
      const { body } = await sync(who, `limit=${1 + pick(5)}`);
      for (const { op, event, event_id } of body.items)
        if (op === 'upsert') held.set(event.id, event);
        else held.delete(event_id);
      if (random() < 0.6) await ack(who, body.cursor);
      return body;
    };
    for (let step = 0; step < 250; step++) {
      const device = devices[pick(3)] ?? devices[0];
      if (!device) continue;
      const [token, id] = [device.who.token, ids[pick(ids.length)]];
      const act = random();
      if (act < 0.25 || id === undefined)
        ids.push((await createEvent(world, device.who, { title: `Step ${step}` })).id);
      else if (act < 0.5) await world.call(`PATCH /calendar/events/${id}`, { token, body: { title: `Step ${step}` } });
      else if (act < 0.6) await world.call(`DELETE /calendar/events/${id}`, { token });
      else await pull(device);
    }
    const { body } = await world.call('GET /calendar/events?limit=100', { token: bob.token });
    const expected = new Map(body.items.map((event: { id: string }) => [event.id, event]));
    for (const { who, held } of devices) {
      for (;;) {
        const page = (await sync(who)).body;
        for (const { op, event, event_id } of page.items)
          if (op === 'upsert') held.set(event.id, event);
          else held.delete(event_id);
        await ack(who, page.cursor);
        if (!page.has_more) break;
      }
      expect(held).toEqual(expected);
    }
  });
});

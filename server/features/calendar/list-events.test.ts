import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusedFields, createEvent, shareEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('GET /calendar/events', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const list = ({ token }: { token: string }, query = '') => world.call(`GET /calendar/events?${query}`, { token });
  const titles = (body: { items: { title: string }[] }) => body.items.map(({ title }) => title);

  it('ends a page at 10,000 occurrences and continues on the next page', slow, async () => {
    const { carol } = people;
    const { id } = await createEvent(world, carol, {
      starts_at: '2031-01-01T00:00:00Z',
      ends_at: '2031-01-01T00:00:01Z',
      rrule: 'FREQ=SECONDLY',
    });
    await world.app.services.db.native.query(
      `insert into calendar_events
         select (jsonb_populate_record(e, jsonb_build_object('id', 'evt_' || lpad(n::text, 26, '0')))).*
         from calendar_events e, generate_series(1, 59) n where e.id = $1`,
      [id],
    );
    const window = 'from=2031-01-01T00:00:00Z&to=2032-01-01T00:00:00Z&limit=100';
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let has_more = true; has_more;) {
      const { body } = await list(carol, `${window}&offset=${seen.length}`);
      seen.push(...body.items.map((event: { id: string }) => event.id));
      sizes.push(body.items.reduce((sum: number, event: { occurrences: [] }) => sum + event.occurrences.length, 0));
      has_more = body.has_more;
    }
    expect(sizes).toEqual(Array(6).fill(10_000));
    expect([seen.length, new Set(seen).size]).toEqual([60, 60]);
  });

  it('expands recurring events in a window, soonest first, across a daylight saving change', async () => {
    const { alice, bob } = people;
    const weekly = await createEvent(world, bob, {
      title: 'Weekly',
      timezone: 'Europe/Berlin',
      starts_at: '2030-03-25T08:00:00Z',
      ends_at: '2030-03-25T08:30:00Z',
      rrule: 'FREQ=WEEKLY',
      exdates: ['2030-04-08T07:00:00Z'],
    });
    await createEvent(world, bob, {
      title: 'Before',
      starts_at: '2030-03-01T08:00:00Z',
      ends_at: '2030-03-01T09:00:00Z',
    });
    await createEvent(world, bob, {
      title: 'Over midnight',
      starts_at: '2030-03-31T23:00:00Z',
      ends_at: '2030-04-01T02:00:00Z',
    });
    const theirs = await createEvent(world, alice, {
      title: 'Days',
      all_day: true,
      timezone: 'Asia/Kolkata',
      starts_at: '2030-04-10',
      ends_at: '2030-04-11',
      rrule: 'FREQ=DAILY;COUNT=2',
    });
    await shareEvent(world, theirs, alice, [bob]);
    const { body } = await list(bob, 'from=2030-04-01T00:00:00Z&to=2030-05-01T00:00:00Z');
    expect(titles(body)).toEqual(['Over midnight', 'Weekly', 'Days']);
    expect(body.items[1].id).toBe(weekly.id);
    expect(body.items[1].occurrences).toEqual(
      ['01', '15', '22', '29'].map((day) => ({
        starts_at: `2030-04-${day}T07:00:00Z`,
        ends_at: `2030-04-${day}T07:30:00Z`,
      })),
    );
    expect(body.items[2]).toMatchObject({
      role: 'guest',
      occurrences: [
        { starts_at: '2030-04-10', ends_at: '2030-04-11' },
        { starts_at: '2030-04-11', ends_at: '2030-04-12' },
      ],
    });
    const pages = [];
    for (const offset of [0, 1, 2])
      pages.push((await list(bob, `from=2030-04-01T00:00:00Z&to=2030-05-01T00:00:00Z&limit=1&offset=${offset}`)).body);
    expect(pages.flatMap(titles)).toEqual(['Over midnight', 'Weekly', 'Days']);
    expect(pages.map(({ has_more }) => has_more)).toEqual([true, true, false]);
    const newest = await list(bob);
    expect(titles(newest.body)).toEqual(['Days', 'Over midnight', 'Before', 'Weekly']);
    expect(newest.body.items[0]).not.toHaveProperty('occurrences');
    const first = (await list(bob, 'limit=3')).body;
    const rest = (await list(bob, `limit=3&before_id=${first.items[2].id}`)).body;
    expect([first.has_more, titles(rest), rest.has_more]).toEqual([true, ['Weekly'], false]);
  });

  it('shows each change of an event, its owner and its share in the next answer', async () => {
    const { alice, bob } = people;
    const { token } = alice;
    const event = await createEvent(world, alice, { rrule: 'FREQ=DAILY' });
    const window = 'from=2030-03-05T00:00:00Z&to=2030-03-07T00:00:00Z';
    const seenBy = async (person: typeof alice) => {
      // Twice, so that the second answer is a repeated one.
      await list(person, window);
      const [item] = (await list(person, window)).body.items;
      if (!item) return undefined;
      const { occurrences, ...rest } = item;
      expect(rest).toEqual((await world.call(`GET /calendar/events/${event.id}`, { token: person.token })).body);
      return { ...rest, starts: occurrences.map(({ starts_at }: { starts_at: string }) => starts_at.slice(8, 16)) };
    };
    const edit = (body: object) => world.call(`PATCH /calendar/events/${event.id}`, { token, body });
    expect(await seenBy(alice)).toMatchObject({ share: null, starts: ['05T09:00', '06T09:00'] });
    await edit({ title: 'Concert', exdates: ['2030-03-05T09:00:00Z'] });
    expect(await seenBy(alice)).toMatchObject({ title: 'Concert', starts: ['06T09:00'] });
    expect(await seenBy(bob)).toBeUndefined();
    await shareEvent(world, event, alice, [bob]);
    expect(await seenBy(alice)).toMatchObject({ share: { people: [{ username: 'bob' }] } });
    expect(await seenBy(bob)).toMatchObject({ title: 'Concert', role: 'guest', share: null });
    await world.call('PATCH /me', { token, body: { display_name: 'Alice B.' } });
    await edit({ title: 'Opera' });
    for (const person of [alice, bob])
      expect(await seenBy(person)).toMatchObject({ title: 'Opera', owner: { display_name: 'Alice B.' } });
    await shareEvent(world, event, alice, []);
    expect([(await seenBy(alice)).share, await seenBy(bob)]).toEqual([null, undefined]);
    await shareEvent(world, event, alice, [], true);
    expect((await seenBy(alice)).share.url).toContain('/e/');
    await shareEvent(world, event, alice, []);
    expect((await seenBy(alice)).share).toBeNull();
  });

  it('returns at most 1000 occurrences of one event', async () => {
    const { carol } = people;
    await createEvent(world, carol, { rrule: 'FREQ=SECONDLY' });
    const { body } = await list(carol, 'from=2030-04-01T00:00:00Z&to=2031-04-01T00:00:00Z');
    expect(body.items[0].occurrences).toHaveLength(1000);
  });

  it.each([
    ['from=2030-04-01T00:00:00Z', 'to'],
    ['to=2030-04-01T00:00:00Z', 'from'],
    ['from=soon&to=2030-04-01T00:00:00Z', 'from'],
    ['from=2030-04-01T00:00:00Z&to=2030-04-01T00:00:00Z', 'to'],
    ['from=2030-04-01T00:00:00Z&to=2031-05-07T00:00:00Z', 'to'],
    [`from=2030-04-01T00:00:00Z&to=2030-04-02T00:00:00Z&before_id=evt_${'0'.repeat(26)}`, 'before_id'],
  ])('rejects %s', async (query, field) => {
    expect(refusedFields(await list(people.alice, query))).toEqual([422, [field]]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../kernel/database/database.ts';
import { randomFrom, seedOf, usual_seed } from '../../../testing/seed.ts';
import { addContact } from '../../testing/steps/contacts.ts';
import { follow, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, register, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { openSocket } from '../../testing/running/realtime-receivers.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('GET /home', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const request = async (path: string, { token }: Persona) => {
    const { status, body } = await world.call(`GET ${path}`, { token });
    return status === 404 ? null : body;
  };
  const countOf = async (path: string, who: Persona) => (await request(path, who)).count as number;
  const inSeconds = (seconds: number) => new Date(world.clock.now().getTime() + seconds * 1000).toISOString();

  /** Media URLs are signed anew for each response. */
  const withoutSignatures = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, part: unknown) => (/stream_(url|expires_at)|poster_url/.test(key) ? '' : part)),
    );

  async function expectEqualParts(who: Persona): Promise<void> {
    const { last_event_id, ...home } = await request('/home', who);
    expect(last_event_id).toMatch(/^\w+\.\d+\.\d+$/);
    const day = 86_400;
    const events = await request(`/calendar/events?from=${inSeconds(0)}&to=${inSeconds(300 * day)}&limit=5`, who);
    expect(withoutSignatures(home)).toEqual(
      withoutSignatures({
        me: await request('/me', who),
        unread: {
          inbox: await countOf('/inbox/unread-count', who),
          dm: await countOf('/dm/unread-count', who),
          notifications: await countOf('/notifications/unread-count', who),
          follow_requests: await countOf('/follow-requests/count', who),
        },
        active_call: await request('/calls/active', who),
        grid: await request('/grid', who),
        groups: await request('/groups', who),
        feed: await request('/feed?limit=10', who),
        upcoming_events: {
          ...events,
          items: events.items.map((event: { occurrences: object[] }) => ({
            ...event,
            occurrences: event.occurrences.slice(0, 1),
          })),
        },
        scheduled_jobs: await request('/scheduled-jobs?state=scheduled&limit=5', who),
        subscription: await request('/billing/subscription', who),
      }),
    );
  }

  it('returns empty parts, not an error, for a user without data', async () => {
    await expectEqualParts(people.carol);
    expect((await request('/home', people.carol)).active_call).toBe(null);
  });

  const { seed, label } = seedOf(usual_seed);
  it(`equals the separate operation of each part after random operations (${label})`, slow, async () => {
    const { alice, bob, carol } = people;
    const random = randomFrom(seed);
    const everybody = [alice, bob, carol];
    const anybody = () => everybody[Math.floor(random() * 3)] ?? alice;
    const tags = [
      await createTag(world, alice, 'home-a'),
      await createTag(world, bob, 'home-b', { follow_policy: 'approval' }),
    ];
    const acts: (() => Promise<unknown>)[] = [
      () => world.call('POST /statuses', { token: anybody().token, body: { body: 'Good morning @bob' } }),
      () => follow(world, tags[0], anybody()).catch(() => undefined),
      () => world.call(`PUT /xtags/${tags[1].id}/follow`, { token: anybody().token, body: {} }),
      () => world.call('POST /groups', { token: anybody().token, body: { name: 'Choir' } }),
      async () => {
        const who = anybody();
        const contact = await addContact(world, who, { name: 'Sam', phones: [{ number: '+14155550170' }] });
        await world.call('POST /grid/members', { token: who.token, body: { contact_id: contact.id } });
      },
      () =>
        world.call('POST /calendar/events', {
          token: anybody().token,
          body: {
            title: 'Rehearsal',
            starts_at: inSeconds(600 + Math.floor(random() * 90_000)),
            ends_at: inSeconds(100_000),
            ...(random() < 0.5 ? { rrule: 'FREQ=WEEKLY' } : {}),
          },
        }),
      () =>
        world.call('POST /scheduled-jobs', {
          token: anybody().token,
          body: { kind: 'reminder', body: 'Water the plants', run_at: inSeconds(5000) },
        }),
      async () => {
        const [from, to] = [anybody(), anybody()];
        const thread = await world.call('POST /dm/threads', { token: from.token, body: { user_id: to.id } });
        if (thread.status < 300)
          await world.call(`POST /dm/threads/${thread.body.id}/chat`, { token: from.token, body: { body: 'Hello' } });
      },
      () => world.call('POST /calls', { token: anybody().token, body: { to: [{ user_id: anybody().id }] } }),
      () => world.call('DELETE /calls/active', { token: anybody().token }),
    ];
    for (let step = 0; step < 60; step++) {
      await acts[Math.floor(random() * acts.length)]?.();
      if (step % 10 === 9) for (const who of everybody) await expectEqualParts(who);
    }
  });

  it('returns an event id from which a stream resumes without gaps', async () => {
    const { alice, bob } = people;
    const port = await world.app.listen();
    const { last_event_id } = await request('/home', alice);
    await postStatus(world, bob, 'Good morning @alice');
    await world.settle();
    const { body: grant } = await world.call('POST /realtime/grant', { token: alice.token, body: {} });
    const url = `ws://127.0.0.1:${port}/v1/realtime/socket`;
    const resumed_socket = await openSocket({ url, token: grant.token }, last_event_id);
    const typesOf = ({ received }: { received: string[] }) =>
      received.map((text) => (JSON.parse(text) as { type: string }).type);
    await expect.poll(() => typesOf(resumed_socket)).toEqual(['ready', 'notification.created']);
    // The node has passed the event by now, so a new stream starts after it.
    const { body: another } = await world.call('POST /realtime/grant', { token: alice.token, body: {} });
    const new_socket = await openSocket({ url, token: another.token });
    await expect.poll(() => typesOf(new_socket)).toEqual(['ready']);
    new_socket.close();
    resumed_socket.close();
  });

  /** Returns, for each statement of one request for the home page, how many results had arrived when it was issued. */
  async function resultsBeforeStatements(who: Persona): Promise<number[]> {
    const { services } = world.app;
    const { together } = services.db;
    let result_count = 0;
    const results_before: number[] = [];
    services.db.together = (work) =>
      together((db) => {
        const record = async <T>(run: (statement: Sql) => Promise<T>, statement: Sql): Promise<T> => {
          results_before.push(result_count);
          const result = await run(statement);
          result_count += 1;
          return result;
        };
        return work({
          is_pipelined: db.is_pipelined,
          many: (statement) => record((sql) => db.many(sql), statement),
          maybe: (statement) => record((sql) => db.maybe(sql), statement),
          one: (statement) => record((sql) => db.one(sql), statement),
          run: (statement) => record((sql) => db.run(sql), statement),
        } as typeof db);
      });
    expect(await request('/home', who)).not.toBe(null);
    services.db.together = together;
    return results_before;
  }

  it('issues all statements in one round trip, also with no data and with very many follows', slow, async () => {
    const { alice } = people;
    const reader = await register(world, 'mina', 77);
    const expectOneRoundTrip = async (who: Persona) => {
      const results_before = await resultsBeforeStatements(who);
      expect(results_before.length).toBeGreaterThanOrEqual(13);
      expect(new Set(results_before)).toEqual(new Set([0]));
    };
    for (const who of [alice, reader]) {
      expect((await request('/feed', who)).items).toEqual([]);
      await expectOneRoundTrip(who);
    }
    const { native } = world.app.services.db;
    await native.query(
      `insert into tags (id, name, owner_id, title, description, visibility, follow_policy, created_at)
       select 'tag_' || lpad(n::text, 26, '0'), 'many-' || n, $1, '', '', 'public', 'open', now()
       from generate_series(1, 3000) n`,
      [alice.id],
    );
    await native.query(
      `insert into follows (id, tag_id, owner_id, follower_id, created_at)
       select 'fol_' || lpad(n::text, 26, '0'), 'tag_' || lpad(n::text, 26, '0'), $1, $2, now()
       from generate_series(1, 3000) n`,
      [alice.id, reader.id],
    );
    await world.call('POST /statuses', { token: alice.token, body: { body: 'To many' } });
    expect((await request('/feed', reader)).items.length).toBeGreaterThan(0);
    // Again: since the rows of this world were restored, the node has read all labels once more.
    await request('/feed', reader);
    await expectOneRoundTrip(reader);
    await expectEqualParts(reader);
  });
});

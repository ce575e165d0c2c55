import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../kernel/database/database.ts';
import { randomFrom, seedOf, usual_seed } from '../../../tools/seed.ts';
import { addContact } from '../../testing/contacting.ts';
import { follow, createTag } from '../../testing/following.ts';
import { findPersonas, register, type Persona, type Personas } from '../../testing/personas.ts';
import { restoreBeforeEach } from '../../testing/restore-world.ts';
import { openSocket } from '../../testing/realtime-receivers.ts';
import { postStatus } from '../../testing/posting.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('GET /home', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const ask = async (path: string, { token }: Persona) => {
    const { status, body } = await world.call(`GET ${path}`, { token });
    return status === 404 ? null : body;
  };
  const countOf = async (path: string, who: Persona) => (await ask(path, who)).count as number;
  const inSeconds = (seconds: number) => new Date(world.clock.now().getTime() + seconds * 1000).toISOString();

  /** Addresses of media are signed anew for each answer. */
  const withoutSignatures = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, part: unknown) => (/stream_(url|expires_at)|poster_url/.test(key) ? '' : part)),
    );

  async function expectEqualParts(who: Persona): Promise<void> {
    const { last_event_id, ...home } = await ask('/home', who);
    expect(last_event_id).toMatch(/^\w+\.\d+\.\d+$/);
    const day = 86_400;
    const events = await ask(`/calendar/events?from=${inSeconds(0)}&to=${inSeconds(300 * day)}&limit=5`, who);
    expect(withoutSignatures(home)).toEqual(
      withoutSignatures({
        me: await ask('/me', who),
        unread: {
          inbox: await countOf('/inbox/unread-count', who),
          dm: await countOf('/dm/unread-count', who),
          notifications: await countOf('/notifications/unread-count', who),
          follow_requests: await countOf('/follow-requests/count', who),
        },
        active_call: await ask('/calls/active', who),
        grid: await ask('/grid', who),
        groups: await ask('/groups', who),
        feed: await ask('/feed?limit=10', who),
        upcoming_events: {
          ...events,
          items: events.items.map((one: { occurrences: object[] }) => ({
            ...one,
            occurrences: one.occurrences.slice(0, 1),
          })),
        },
        scheduled_jobs: await ask('/scheduled-jobs?state=scheduled&limit=5', who),
        subscription: await ask('/billing/subscription', who),
      }),
    );
  }

  it('is empty, and no error, for whoever has nothing yet', async () => {
    await expectEqualParts(people.carol);
    expect((await ask('/home', people.carol)).active_call).toBe(null);
  });

  const { seed, label } = seedOf(usual_seed);
  it(`equals the operation of each part, whatever people have done (${label})`, async () => {
    const { alice, bob, carol } = people;
    const random = randomFrom(seed);
    const everybody = [alice, bob, carol];
    const one = () => everybody[Math.floor(random() * 3)] ?? alice;
    const tags = [
      await createTag(world, alice, 'home-a'),
      await createTag(world, bob, 'home-b', { follow_policy: 'approval' }),
    ];
    const acts: (() => Promise<unknown>)[] = [
      () => world.call('POST /statuses', { token: one().token, body: { body: 'Good morning @bob' } }),
      () => follow(world, tags[0], one()).catch(() => undefined),
      () => world.call(`PUT /xtags/${tags[1].id}/follow`, { token: one().token, body: {} }),
      () => world.call('POST /groups', { token: one().token, body: { name: 'Choir' } }),
      async () => {
        const who = one();
        const contact = await addContact(world, who, { name: 'Sam', phones: [{ number: '+14155550170' }] });
        await world.call('POST /grid/members', { token: who.token, body: { contact_id: contact.id } });
      },
      () =>
        world.call('POST /calendar/events', {
          token: one().token,
          body: {
            title: 'Rehearsal',
            starts_at: inSeconds(600 + Math.floor(random() * 90_000)),
            ends_at: inSeconds(100_000),
            ...(random() < 0.5 ? { rrule: 'FREQ=WEEKLY' } : {}),
          },
        }),
      () =>
        world.call('POST /scheduled-jobs', {
          token: one().token,
          body: { kind: 'reminder', body: 'Water the plants', run_at: inSeconds(5000) },
        }),
      async () => {
        const [from, to] = [one(), one()];
        const thread = await world.call('POST /dm/threads', { token: from.token, body: { user_id: to.id } });
        if (thread.status < 300)
          await world.call(`POST /dm/threads/${thread.body.id}/chat`, { token: from.token, body: { body: 'Hello' } });
      },
      () => world.call('POST /calls', { token: one().token, body: { to: [{ user_id: one().id }] } }),
      () => world.call('DELETE /calls/active', { token: one().token }),
    ];
    for (let step = 0; step < 60; step++) {
      await acts[Math.floor(random() * acts.length)]?.();
      if (step % 10 === 9) for (const who of everybody) await expectEqualParts(who);
    }
  });

  it('says from where a stream goes on that misses nothing', async () => {
    const { alice, bob } = people;
    const port = await world.app.listen();
    const { last_event_id } = await ask('/home', alice);
    await postStatus(world, bob, 'Good morning @alice');
    await world.settle();
    const { body: grant } = await world.call('POST /realtime/grant', { token: alice.token, body: {} });
    const url = `ws://127.0.0.1:${port}/v1/realtime/socket`;
    const resumed = await openSocket({ url, token: grant.token }, last_event_id);
    const typesOf = ({ received }: { received: string[] }) =>
      received.map((text) => (JSON.parse(text) as { type: string }).type);
    await expect.poll(() => typesOf(resumed)).toEqual(['ready', 'notification.created']);
    // The node has passed the event by now: who begins here begins behind it.
    const { body: another } = await world.call('POST /realtime/grant', { token: alice.token, body: {} });
    const fresh = await openSocket({ url, token: another.token });
    await expect.poll(() => typesOf(fresh)).toEqual(['ready']);
    fresh.close();
    resumed.close();
  });

  /** After how many answers each statement of one request for the home page was issued. */
  async function askedAfter(who: Persona): Promise<number[]> {
    const { services } = world.app;
    const { together } = services.db;
    let answered = 0;
    const issued_after: number[] = [];
    services.db.together = (work) =>
      together((db) => {
        const note = async <T>(run: (statement: Sql) => Promise<T>, statement: Sql): Promise<T> => {
          issued_after.push(answered);
          const result = await run(statement);
          answered += 1;
          return result;
        };
        return work({
          is_pipelined: db.is_pipelined,
          many: (statement) => note((one) => db.many(one), statement),
          maybe: (statement) => note((one) => db.maybe(one), statement),
          one: (statement) => note((one) => db.one(one), statement),
          run: (statement) => note((one) => db.run(one), statement),
        } as typeof db);
      });
    expect(await ask('/home', who)).not.toBe(null);
    services.db.together = together;
    return issued_after;
  }

  it('issues all its statements before the first is answered, with nothing to read and with very many follows', async () => {
    const { alice } = people;
    const reader = await register(world, 'mina', 77);
    const expectOneTrip = async (who: Persona) => {
      const issued_after = await askedAfter(who);
      expect(issued_after.length).toBeGreaterThanOrEqual(13);
      expect(new Set(issued_after)).toEqual(new Set([0]));
    };
    for (const who of [alice, reader]) {
      expect((await ask('/feed', who)).items).toEqual([]);
      await expectOneTrip(who);
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
    expect((await ask('/feed', reader)).items.length).toBeGreaterThan(0);
    await expectOneTrip(reader);
    await expectEqualParts(reader);
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { terms } from '../../../domain/calls/state/call-machine.ts';
import { block, itemsOf } from '../../steps/follows.ts';
import { findPersonas, password, register, type Persona } from '../../world/personas.ts';
import { createWorld, type World } from '../../world/world.ts';

/** A random step: an action of a person, or an event in the service. `actor` and `target` select people, `at` a call. */
const step = fc.record({
  actor: fc.nat(3),
  target: fc.nat(3),
  at: fc.nat(3),
  what: fc.constantFrom(
    'start',
    'start',
    'join',
    'join',
    'join',
    'connect',
    'connect',
    'connect',
    'drop',
    'decline',
    'leave',
    'hang up',
    'add',
    'send away',
    'privacy',
    'media restarts',
    'webhook',
    'webhook twice',
    'block',
    'unblock',
    'phone',
    'phone picks up',
    'phone is busy',
    'account goes',
    'kill',
    'wait 1',
    'wait 31',
    'wait 46',
    'wait 61',
  ),
});

type Step = { actor: number; target: number; at: number; what: string };

const number = '+493012345678';

/** The number of walks; `WALKS=1000` is the complete test, which takes some minutes. */
const walks = Number(process.env['WALKS'] ?? 60);
/** The operation in progress when the service is killed. */
const interrupted = ['start', 'join', 'leave', 'hang up', 'add', 'webhook'];

/**
 * What must never be, each as a query for what breaks it. $1 and $2 are times before which a call that is still empty, and
 * a ring that still rings, began too long ago.
 */
const invariants = {
  'an account is in two calls': `
    select user_id from call_participants where state in ('joining', 'joined') and user_id is not null
    group by 1 having count(*) > 1`,
  'an ended call has a participant or a ring': `
    select p.id from call_participants p join calls c on c.id = p.call_id
    where c.state = 'ended' and p.state in ('ringing', 'joining', 'joined')`,
  'an ended call has a phone leg': `
    select l.id from call_legs l join calls c on c.id = l.call_id
    where c.state = 'ended' and l.state in ('queued', 'ringing', 'answered')`,
  'a call without people exceeds its term': `select id from calls where state <> 'ended' and empty_since <= $1`,
  'a ring exceeds its term': `select id from call_participants where state = 'ringing' and rung_at <= $2`,
  'a call has not one host, the one in its row': `
    select c.id from calls c
    where (select string_agg(p.user_id, ',') from call_participants p where p.call_id = c.id and p.role = 'host')
      is distinct from c.host_id`,
  'a person is in a call whose host they are blocked with, or is rung into it': `
    select p.id from call_participants p join calls c on c.id = p.call_id
    join blocked_pairs a on a.user_id = c.host_id and a.other_id = p.user_id
    where p.state in ('ringing', 'joining', 'joined')`,
  'a deleted account is in a call, or is rung into one': `
    select p.id from call_participants p join users u on u.id = p.user_id
    where u.deleted_at is not null and p.state in ('ringing', 'joining', 'joined')`,
  'a call is more than one item of an inbox': `
    select user_id from inbox_messages where call_id is not null group by user_id, call_id having count(*) > 1`,
};

/** The invariants that do not hold, with what breaks them, by one statement, which is planned once. */
const broken_invariants = Object.entries(invariants)
  .map(
    ([name, text]) => `select '${name}' as invariant, array_agg(b)::text as ids from (${text}) b having count(*) > 0`,
  )
  .join(' union all ');

/**
 * Random walks through the operations of calls, with the real database, with blocks, lost and duplicated webhooks,
 * deleted accounts, and services that are killed during an operation.
 */
describe('calls under random operations', () => {
  let world: World;
  let people: Persona[];
  let registered = 0;
  let calls: {
    conference_id: string;
    join_code: string;
    participants: { id: string; user: { id: string } | null }[];
  }[];
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    const { alice, bob, carol } = findPersonas();
    people = [alice, bob, carol, await register(world, 'walker', 1000)];
  });
  afterAll(() => world.close());

  const request = (route: string, { token }: Persona, body: object = {}) => world.call(route, { token, body });
  const rows = async <T>(text: string, values: unknown[] = []) =>
    (await world.app.services.db.native.query(text, values)).rows as T[];

  const hook = (room: string) =>
    world.call('POST /media/webhook', {
      raw: JSON.stringify({ room }),
      headers: { 'content-type': 'application/webhook+json' },
    });

  async function act({ actor, target, at, what }: Step): Promise<void> {
    const [person, other, call] = [people[actor], people[target], calls[at % Math.max(1, calls.length)]];
    if (!person || !other) return;
    const room = call?.conference_id ?? '';
    const code = call?.join_code ?? 'abc-defg-hij';
    const operations: Record<string, () => Promise<unknown>> = {
      start: async () => {
        const to = person === other ? [] : [{ user_id: other.id }];
        const { status, body } = await request('POST /calls', person, { to, privacy: at === 0 ? 'public' : 'private' });
        if (status === 201) calls.push(body);
      },
      join: () => request(`POST /calls/${code}/sfu-grant`, person),
      connect: async () => world.rooms.set(room, new Set([...(world.rooms.get(room) ?? []), person.id])),
      drop: async () => world.rooms.get(room)?.delete(person.id),
      decline: () => request(`POST /calls/${code}/decline`, person),
      leave: () => request(`POST /calls/${code}/leave`, person),
      'hang up': () => request('DELETE /calls/active', person),
      add: () => request('POST /calls/active/participants', person, { to: [{ user_id: other.id }] }),
      'send away': async () => {
        const { body } = await request('GET /calls/active', person);
        const participant = body.participants?.find(
          ({ user }: { user: { id: string } | null }) => user?.id === other.id,
        );
        if (participant) await request(`DELETE /calls/active/participants/${participant.id}`, person);
      },
      privacy: () => request('PATCH /calls/active', person, { privacy: at % 2 === 0 ? 'private' : 'public' }),
      'media restarts': async () => world.rooms.clear(),
      webhook: () => hook(room),
      'webhook twice': () => Promise.all([hook(room), hook(room)]),
      block: async () => (person === other ? undefined : block(world, person, other)),
      unblock: () => request(`DELETE /blocks/${other.id}`, person),
      phone: () => request('POST /calls/active/bridge-phone', person, { number }),
      'phone picks up': () => simulateNewest('answered'),
      'phone is busy': () => simulateNewest('busy'),
      'account goes': replaceLast,
    };
    if (what === 'kill') {
      const pending = operations[interrupted[(at + target) % interrupted.length] ?? '']?.().catch(() => undefined);
      // Somewhere between its first statement and its reply.
      for (let turn = 0; turn < actor * 4 + at * 16; turn += 1) await new Promise(setImmediate);
      world = await world.crash();
      await pending;
      return world.settle();
    }
    const answer = await (operations[what]?.() ?? world.clock.advance(Number(what.split(' ')[1])));
    const { status } = (answer ?? {}) as { status?: number };
    expect(status === undefined || status < 500).toBe(true);
    await world.settle();
  }

  /** Deletes the account of the last person, and registers another one. */
  async function replaceLast(): Promise<void> {
    const last = people.pop();
    if (last) await world.call('DELETE /me', { token: last.token, body: { password } });
    registered += 1;
    people.push(await register(world, `walker_${registered}`, 1000 + registered));
  }

  async function startWithAll(): Promise<void> {
    const [host, ...others] = people;
    if (!host) return;
    const { body } = await request('POST /calls', host, { to: others.map(({ id }) => ({ user_id: id })) });
    calls.push(body);
    for (const person of people) await request(`POST /calls/${body.join_code}/sfu-grant`, person);
    world.rooms.set(body.conference_id, new Set(people.map(({ id }) => id)));
    await hook(body.conference_id);
    await world.settle();
  }

  async function simulateNewest(state: string): Promise<void> {
    const [leg] = await rows<{ id: string }>('select id from call_legs order by id desc limit 1');
    const headers = { host: 'localhost' };
    if (leg)
      await world.app.http.inject({
        method: 'POST',
        url: `/console/phone/legs/${leg.id}`,
        payload: { state },
        headers,
      });
  }

  async function checkInvariants(): Promise<void> {
    const now_ms = world.clock.now().getTime();
    const limits = [terms.empty_s, terms.ring_s].map((seconds) => new Date(now_ms - seconds * 1000 - 1000));
    const query = { name: 'invariants', text: broken_invariants, values: limits };
    const [broken] = (await world.app.services.db.native.query<{ invariant: string; ids: string }>(query)).rows;
    expect(broken).toBe(undefined);
  }

  /** The history of each person equals the rows of the calls: ended ones in which they were or were called. */
  async function checkHistory(): Promise<void> {
    for (const person of people) {
      const history = (await itemsOf(world, '/call-history?limit=100', person)).map(
        ({ conference_id, outcome }: { conference_id: string; outcome: string }) => [
          conference_id,
          outcome === 'answered',
        ],
      );
      const expected = await rows<{ id: string; answered: boolean }>(
        `select c.id, case when c.started_by = v.user_id then exists (select 1 from call_participants o where o.call_id = c.id and o.id <> v.id and o.joined_at is not null)
                else v.joined_at is not null end as answered
         from calls c join call_participants v on v.call_id = c.id and v.user_id = $1
         where (c.state = 'ended' or v.state not in ('ringing', 'joining', 'joined')) and not v.suppressed and (v.invited or v.joined_at is not null)
           and not exists (select 1 from blocked_pairs a where a.user_id = $1 and a.other_id in (c.host_id, c.started_by))
         order by c.id desc limit 100`,
        [person.id],
      );
      expect(history).toEqual(expected.map(({ id, answered }) => [id, answered]));
    }
  }

  it('keep every invariant, and the history equals the rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        calls = [];
        // In every other walk the people are in a call from the start, so that operations within a call succeed often.
        if (steps.length % 2 === 0) await startWithAll();
        for (const next of steps) {
          await act(next);
          await checkInvariants();
        }
        await checkHistory();
        // The end of a walk: everybody leaves, and within two minutes no call continues.
        world.rooms.clear();
        for (const person of people) {
          await request('DELETE /calls/active', person);
          for (const other of people) await request(`DELETE /blocks/${other.id}`, person);
        }
        await world.settle();
        for (let passed_s = 0; passed_s < 130; passed_s += 10) {
          await world.clock.advance(10);
          await world.settle();
        }
        expect(await rows(`select id from calls where state <> 'ended'`)).toEqual([]);
        // Tokens expire after an hour of the service's time.
        await world.clock.reset();
      }),
      { numRuns: walks, endOnFailure: true },
    );
  }, 1_800_000);
});

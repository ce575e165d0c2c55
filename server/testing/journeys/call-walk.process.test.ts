import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { terms } from '../../domain/calls/call-machine.ts';
import { block, itemsOf } from '../following.ts';
import { findPersonas, password, register, type Persona } from '../personas.ts';
import { createWorld, type World } from '../world.ts';

/** What somebody may do, or what may come upon the service. `who` and `whom` pick persons, `at` a call. */
const step = fc.record({
  who: fc.nat(3),
  whom: fc.nat(3),
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

type Step = { who: number; whom: number; at: number; what: string };

const number = '+493012345678';

/** How many walks there are; `WALKS=1000` is the whole proof, which takes some minutes. */
const walks = Number(process.env['WALKS'] ?? 60);
/** What is under way when the service is killed. */
const interrupted = ['start', 'join', 'leave', 'hang up', 'add', 'webhook'];

/**
 * Random walks through the operations of calls, over the real database, with blocks, webhooks that are lost and doubled,
 * accounts that are deleted, and services that are killed in the middle of an operation.
 */
describe('calls under random moves', () => {
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

  const ask = (route: string, { token }: Persona, body: object = {}) => world.call(route, { token, body });
  const rows = async <T>(text: string, values: unknown[] = []) =>
    (await world.app.services.db.native.query(text, values)).rows as T[];

  const hook = (room: string) =>
    world.call('POST /media/webhook', {
      raw: JSON.stringify({ room }),
      headers: { 'content-type': 'application/webhook+json' },
    });

  async function act({ who, whom, at, what }: Step): Promise<void> {
    const [one, other, call] = [people[who], people[whom], calls[at % Math.max(1, calls.length)]];
    if (!one || !other) return;
    const room = call?.conference_id ?? '';
    const code = call?.join_code ?? 'abc-defg-hij';
    const moves: Record<string, () => Promise<unknown>> = {
      start: async () => {
        const to = one === other ? [] : [{ user_id: other.id }];
        const { status, body } = await ask('POST /calls', one, { to, privacy: at === 0 ? 'public' : 'private' });
        if (status === 201) calls.push(body);
      },
      join: () => ask(`POST /calls/${code}/sfu-grant`, one),
      connect: async () => world.rooms.set(room, new Set([...(world.rooms.get(room) ?? []), one.id])),
      drop: async () => world.rooms.get(room)?.delete(one.id),
      decline: () => ask(`POST /calls/${code}/decline`, one),
      leave: () => ask(`POST /calls/${code}/leave`, one),
      'hang up': () => ask('DELETE /calls/active', one),
      add: () => ask('POST /calls/active/participants', one, { to: [{ user_id: other.id }] }),
      'send away': async () => {
        const { body } = await ask('GET /calls/active', one);
        const part = body.participants?.find(({ user }: { user: { id: string } | null }) => user?.id === other.id);
        if (part) await ask(`DELETE /calls/active/participants/${part.id}`, one);
      },
      privacy: () => ask('PATCH /calls/active', one, { privacy: at % 2 === 0 ? 'private' : 'public' }),
      'media restarts': async () => world.rooms.clear(),
      webhook: () => hook(room),
      'webhook twice': () => Promise.all([hook(room), hook(room)]),
      block: async () => (one === other ? undefined : block(world, one, other)),
      unblock: () => ask(`DELETE /blocks/${other.id}`, one),
      phone: () => ask('POST /calls/active/bridge-phone', one, { number }),
      'phone picks up': () => playNewest('answered'),
      'phone is busy': () => playNewest('busy'),
      'account goes': replaceLast,
    };
    if (what === 'kill') {
      const under_way = moves[interrupted[(at + whom) % interrupted.length] ?? '']?.().catch(() => undefined);
      // Somewhere between its first statement and its answer.
      for (let turn = 0; turn < who * 4 + at * 16; turn += 1) await new Promise(setImmediate);
      world = await world.crash();
      await under_way;
      return world.settle();
    }
    const answer = await (moves[what]?.() ?? world.clock.advance(Number(what.split(' ')[1])));
    const { status } = (answer ?? {}) as { status?: number };
    expect(status === undefined || status < 500).toBe(true);
    await world.settle();
  }

  /** The last of the people deletes their account, and somebody new is there. */
  async function replaceLast(): Promise<void> {
    const last = people.pop();
    if (last) await world.call('DELETE /me', { token: last.token, body: { password } });
    registered += 1;
    people.push(await register(world, `walker_${registered}`, 1000 + registered));
  }

  async function begin(): Promise<void> {
    const [one, ...others] = people;
    if (!one) return;
    const { body } = await ask('POST /calls', one, { to: others.map(({ id }) => ({ user_id: id })) });
    calls.push(body);
    for (const who of people) await ask(`POST /calls/${body.join_code}/sfu-grant`, who);
    world.rooms.set(body.conference_id, new Set(people.map(({ id }) => id)));
    await hook(body.conference_id);
    await world.settle();
  }

  async function playNewest(state: string): Promise<void> {
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
    const now = world.clock.now();
    // One active call an account.
    expect(
      await rows(
        `select user_id from call_participants where state in ('joining', 'joined') and user_id is not null group by 1 having count(*) > 1`,
      ),
    ).toEqual([]);
    // What has ended holds nobody, rings nobody, and dials no phone.
    expect(
      await rows(
        `select p.id from call_participants p join calls c on c.id = p.call_id where c.state = 'ended' and p.state in ('ringing', 'joining', 'joined')`,
      ),
    ).toEqual([]);
    expect(
      await rows(
        `select l.id from call_legs l join calls c on c.id = l.call_id where c.state = 'ended' and l.state in ('queued', 'ringing', 'answered')`,
      ),
    ).toEqual([]);
    // No call goes on without people for longer than its term, and no ring outlives its own.
    expect(
      await rows(`select id from calls where state <> 'ended' and empty_since <= $1`, [
        new Date(now.getTime() - terms.empty_s * 1000 - 1000),
      ]),
    ).toEqual([]);
    expect(
      await rows(`select id from call_participants where state = 'ringing' and rung_at <= $1`, [
        new Date(now.getTime() - terms.ring_s * 1000 - 1000),
      ]),
    ).toEqual([]);
    // One host each, who is the one whom the call names.
    expect(
      await rows(
        `select c.id from calls c where (select string_agg(p.user_id, ',') from call_participants p where p.call_id = c.id and p.role = 'host') is distinct from c.host_id`,
      ),
    ).toEqual([]);
    // Nobody is in the call of a host from whom a block keeps them, or rung into it.
    expect(
      await rows(
        `select p.id from call_participants p join calls c on c.id = p.call_id join blocked_pairs a on a.user_id = c.host_id and a.other_id = p.user_id where p.state in ('ringing', 'joining', 'joined')`,
      ),
    ).toEqual([]);
    // Nobody whose account is gone is in a call, or called into one.
    expect(
      await rows(
        `select p.id from call_participants p join users u on u.id = p.user_id where u.deleted_at is not null and p.state in ('ringing', 'joining', 'joined')`,
      ),
    ).toEqual([]);
    // One call is one item of an inbox at the most, and only for whoever did not come in since.
    expect(
      await rows(
        `select user_id from inbox_messages where call_id is not null group by user_id, call_id having count(*) > 1`,
      ),
    ).toEqual([]);
  }

  /** The history of everybody is what the calls' own rows say: those that ended, in which they were or were called. */
  async function checkHistory(): Promise<void> {
    for (const one of people) {
      const told = (await itemsOf(world, '/call-history?limit=100', one)).map(
        ({ conference_id, outcome }: { conference_id: string; outcome: string }) => [
          conference_id,
          outcome === 'answered',
        ],
      );
      const lived = await rows<{ id: string; answered: boolean }>(
        `select c.id, case when c.started_by = v.user_id then exists (select 1 from call_participants o where o.call_id = c.id and o.id <> v.id and o.joined_at is not null)
                else v.joined_at is not null end as answered
         from calls c join call_participants v on v.call_id = c.id and v.user_id = $1
         where (c.state = 'ended' or v.state not in ('ringing', 'joining', 'joined')) and not v.silent and (v.invited or v.joined_at is not null)
           and not exists (select 1 from blocked_pairs a where a.user_id = $1 and a.other_id in (c.host_id, c.started_by))
         order by c.id desc limit 100`,
        [one.id],
      );
      expect(told).toEqual(lived.map(({ id, answered }) => [id, answered]));
    }
  }

  it('keep every invariant, and history is what happened', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        calls = [];
        // The three are in a call already in every other walk, so that what may happen within one does happen.
        if (steps.length % 2 === 0) await begin();
        for (const one of steps) {
          await act(one);
          await checkInvariants();
        }
        await checkHistory();
        // The end of a walk: everybody goes, and within two minutes nothing goes on.
        world.rooms.clear();
        for (const one of people) {
          await ask('DELETE /calls/active', one);
          for (const other of people) await ask(`DELETE /blocks/${other.id}`, one);
        }
        await world.settle();
        for (let passed_s = 0; passed_s < 130; passed_s += 10) {
          await world.clock.advance(10);
          await world.settle();
        }
        expect(await rows(`select id from calls where state <> 'ended'`)).toEqual([]);
        // Tokens live for an hour of the service's time.
        await world.clock.reset();
      }),
      { numRuns: walks, endOnFailure: true },
    );
  }, 1_800_000);
});

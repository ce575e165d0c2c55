/**
 * Somebody who has blocked the caller, is suspended or has deleted their account: wherever a request takes a person, the
 * answers are the same, so that none tells which it is.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { block, itemsOf } from '../steps/follows.ts';
import { findPersonas, register, type Persona, type Personas } from '../world/personas.ts';
import { restoreBeforeEach } from '../world/restore-world.ts';
import { createWorld, type World } from '../world/world.ts';

describe('people whom the caller does not see', () => {
  let world: World;
  let alice: Persona;
  /** By the reason for which they are not seen. */
  let unseen: Record<'deleted' | 'blocking' | 'suspended', Persona>;
  const places = { group: '', event: '' };
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    const people: Personas = findPersonas();
    ({ alice } = people);
    unseen = { deleted: people.bob, blocking: people.carol, suspended: await register(world, 'dave', 4) };
    const make = async (route: string, body: object) => (await world.call(route, { token: alice.token, body })).body.id;
    places.group = await make('POST /groups', { name: 'Band' });
    const times = { starts_at: '2030-01-01T09:00:00Z', ends_at: '2030-01-01T10:00:00Z' };
    places.event = await make('POST /calendar/events', { title: 'Concert', ...times });
    await block(world, unseen.blocking, alice);
    await suspendUser(world.app.services, unseen.suspended.id, { operator: 'olga', reason: 'because' });
    const { token, password } = unseen.deleted;
    expect((await world.call('DELETE /me', { token, body: { password } })).status).toBe(204);
    await world.settle();
  });
  afterAll(() => world.close());

  restoreBeforeEach(() => world);

  type Request = { route: string; body?: object };
  const blocking = (user_id: string): Request => ({ route: 'POST /blocks', body: { user_id } });
  /** Every request that takes a person by identifier, and does not depend on another relation to them. */
  const requests: Record<string, (id: string) => Request> = {
    'their page': (id) => ({ route: `GET /people/${id}` }),
    presence: (id) => ({ route: `GET /presence/${id}` }),
    mute: (id) => ({ route: `PUT /people/${id}/mute`, body: {} }),
    unmute: (id) => ({ route: `DELETE /people/${id}/mute` }),
    'remove a follower': (id) => ({ route: `DELETE /followers/${id}` }),
    'a thread': (user_id) => ({ route: 'POST /dm/threads', body: { user_id } }),
    'a call': (user_id) => ({ route: 'POST /calls', body: { to: [{ user_id }] } }),
    'past calls': (id) => ({ route: `GET /calls/history?user_id=${id}` }),
    'the next owner': (user_id) => ({ route: `POST /groups/${places.group}/transfer`, body: { user_id } }),
    'an admin': (id) => ({ route: `PUT /groups/${places.group}/admins/${id}`, body: {} }),
    'an admin no longer': (id) => ({ route: `DELETE /groups/${places.group}/admins/${id}` }),
    'a guest': (id) => ({ route: `PUT /calendar/events/${places.event}/share`, body: { people: [id] } }),
    'a viewer of the position': (id) => ({
      route: 'PATCH /location/settings',
      body: { mode: 'selected', people: [id], expires_at: '2029-01-01T00:00:00Z' },
    }),
    'a scheduled call': (user_id) => ({
      route: 'POST /scheduled-jobs',
      body: { kind: 'call', target: { user_id }, run_at: '2029-01-01T00:00:00Z' },
    }),
    'a report': (target_id) => ({
      route: 'POST /abuse-reports',
      body: { target_type: 'user', target_id, reason: 'spam' },
    }),
    unblock: (id) => ({ route: `DELETE /blocks/${id}` }),
    block: blocking,
  };
  /** The same after the caller has blocked them. */
  const requests_after_block: typeof requests = {
    'block again': blocking,
    'unblock by name': (id) => ({ route: 'POST /commands', body: { text: `unblock @${nameOf(id)}`, dry_run: true } }),
    'unblock after a block': (id) => ({ route: `DELETE /blocks/${id}` }),
  };
  const nameOf = (id: string) => Object.values(unseen).find((person) => person.id === id)?.username ?? '';

  /** An answer without what each has of its own. */
  const masked = (value: unknown, person: Persona) =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(person.id, 'the person')
        .replaceAll(person.username, 'their name')
        .replaceAll(/[a-z]+_\w{26}/g, 'an identifier')
        .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"a time"'),
    );
  async function answerFor({ route, body }: Request, person: Persona) {
    const answer = await world.call(route, { token: alice.token, ...(body && { body }) });
    return masked({ status: answer.status, body: answer.body ?? null }, person);
  }
  async function expectSameAnswers(request: (id: string) => Request) {
    const answer = await answerFor(request(unseen.deleted.id), unseen.deleted);
    expect([200, 201, 204, 404, 422]).toContain(answer.status);
    for (const kind of ['blocking', 'suspended'] as const)
      expect(await answerFor(request(unseen[kind].id), unseen[kind]), kind).toEqual(answer);
  }
  const blockAll = async () => {
    for (const person of Object.values(unseen)) await answerFor(blocking(person.id), person);
  };

  it.each(Object.entries(requests))('get the same answer: %s', (_, request) => expectSameAnswers(request));

  it.each(Object.entries(requests_after_block))('get the same answer: %s', async (_, request) => {
    await blockAll();
    await expectSameAnswers(request);
  });

  it('look the same in the list of blocks, also once they have deleted their account', async () => {
    const blocker = unseen.blocking;
    await blockAll();
    const list = async () => (await itemsOf(world, '/blocks', alice)) as { user: { id: string } }[];
    const looks = async () => {
      const items = await list();
      return Object.values(unseen).map((person) =>
        masked(items.find(({ user }) => user.id === person.id) ?? null, person),
      );
    };
    const [look, ...others] = await looks();
    expect(look.user.display_name).toBe('deleted user');
    expect(others).toEqual([look, look]);
    const body = { password: blocker.password };
    expect((await world.call('DELETE /me', { token: blocker.token, body })).status).toBe(204);
    await world.settle();
    expect(await looks()).toEqual([look, look, look]);
  });
});

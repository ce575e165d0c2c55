import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { requestGrants, startCall } from '../../testing/steps/calls.ts';
import { admitGuest, startOpenCall } from '../../testing/steps/link-guests.ts';
import { findPersonas, sessionClock, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /calls/{join_code}/chat', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  /** How many of a number of messages are accepted; the others are above a budget. */
  async function countAccepted(join_code: string, { token }: { token: string }, count: number, ip?: string) {
    let accepted = 0;
    for (let at = 0; at < count; at++) {
      const body = { body: `${at}` };
      const { status } = await world.call(`POST /calls/${join_code}/chat`, { token, body, ...(ip ? { ip } : {}) });
      expect([201, 429]).toContain(status);
      if (status === 201) accepted += 1;
    }
    return accepted;
  }

  it('emits chat.message to those in the call only', async () => {
    const { alice, bob, carol } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob, carol], { privacy: 'public' });
    const post = (token: string, body: string) =>
      world.call(`POST /calls/${join_code}/chat`, { token, body: { body } });
    await requestGrants(world, join_code, bob);
    const { status, body } = await post(bob.token, 'Hello.');
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'text', body: 'Hello.', file: null, author: { user: { username: 'bob' } } });
    const messagesSentTo = async (id: string) =>
      (await world.events(`user:${id}`)).filter(({ type }) => type === 'chat.message');
    for (const { id } of [alice, bob]) {
      expect(await messagesSentTo(id)).toEqual([
        { type: 'chat.message', data: { conference_id, join_code, message: body } },
      ]);
    }
    expect(await messagesSentTo(carol.id)).toEqual([]);
    const ringing = await post(carol.token, 'May I?');
    expect([ringing.status, ringing.body.error.code]).toEqual([404, 'not_found']);
    await requestGrants(world, join_code, carol);
    expect((await post(carol.token, 'May I?')).status).toBe(201);
    await world.call('DELETE /calls/active', { token: alice.token });
    const late = await post(alice.token, 'Too late.');
    expect([late.status, late.body.error.code]).toEqual([409, 'not_in_call']);
  });

  it('limits what a person posts in a minute, apart from their other requests', slow, async () => {
    const { alice } = people;
    await startBudgetWindow(sessionClock(world));
    const { join_code } = await startCall(world, alice, []);
    expect(await countAccepted(join_code, alice, 245)).toBe(240);
    const { headers } = await world.call(`POST /calls/${join_code}/chat`, { token: alice.token, body: { body: 'x' } });
    expect(headers['ratelimit-policy']).toBe('"call_chat";q=240;w=60');
    expect((await world.call('GET /me', { token: alice.token })).status).toBe(200);
  });

  it('limits what a guest posts in a minute, and all guests at one address', slow, async () => {
    const { alice } = people;
    await startBudgetWindow(sessionClock(world));
    const { join_code } = await startOpenCall(world, alice);
    const accepted = [];
    for (const name of ['Gina', 'Hugo', 'Ida', 'Jan']) {
      const guest = await admitGuest(world, alice, join_code, name);
      await requestGrants(world, join_code, guest);
      accepted.push(await countAccepted(join_code, guest, 35, '198.51.100.7'));
    }
    expect(accepted).toEqual([30, 30, 30, 0]);
    const other = await admitGuest(world, alice, join_code, 'Kim');
    await requestGrants(world, join_code, other);
    expect(await countAccepted(join_code, other, 1, '198.51.100.8')).toBe(1);
  });
});

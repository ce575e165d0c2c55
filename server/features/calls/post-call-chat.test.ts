import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestGrants, startCall } from '../../testing/calling.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /calls/{join_code}/chat', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

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
});

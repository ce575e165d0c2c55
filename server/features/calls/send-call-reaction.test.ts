import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { requestEntry, startCallWithGuest } from '../../testing/steps/link-guests.ts';
import { listenTo, storedTypes } from '../../testing/world/listening.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { startRecordableCall } from '../../testing/samples/recording.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /calls/{join_code}/reactions', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(() => world.call('DELETE /calls/active', { token: people.alice.token }));

  it('sends call.reaction to those in the call, and stores nothing; accepts exactly one emoji', slow, async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob);
    const react = ({ token }: Persona, emoji: string) =>
      world.call(`POST /calls/${join_code}/reactions`, { token, body: { emoji } });
    const [to_alice, to_bob, to_carol] = [
      await listenTo(world, alice, 'call.reaction'),
      await listenTo(world, bob, 'call.reaction'),
      await listenTo(world, carol, 'call.reaction'),
    ];
    expect((await react(bob, '👏🏽')).status).toBe(204);
    for (const received of [to_alice, to_bob])
      await expect.poll(() => received()).toMatchObject([{ join_code, emoji: '👏🏽' }]);
    const wrong = await react(bob, 'well done');
    expect([wrong.status, wrong.body.error.fields]).toEqual([422, { emoji: 'must be one emoji' }]);
    expect((await react(carol, '👏')).status).toBe(404);
    expect(to_carol()).toEqual([]);
    expect(await storedTypes(world)).not.toContain('call.reaction');
  });

  it('is sent by and to guests who are in the call, and nobody else', slow, async () => {
    const { alice, bob } = people;
    const { join_code, guest, participant_id } = await startCallWithGuest(world, alice, [bob]);
    const react = (code: string, token: string) =>
      world.call(`POST /calls/${code}/reactions`, { token, body: { emoji: '🎉' } });
    const [to_bob, to_guest] = [
      await listenTo(world, bob, 'call.reaction'),
      await listenTo(world, guest, 'call.reaction'),
    ];
    expect((await react(join_code, guest.token)).status).toBe(204);
    for (const received of [to_bob, to_guest])
      await expect.poll(() => received()).toEqual([{ join_code, participant_id, emoji: '🎉' }]);
    const { body: waiting } = await requestEntry(world, join_code, 'Ida', '10.9.0.2');
    expect((await react(join_code, waiting.token)).status).toBe(404);
    expect((await react('aaa-bbbb-ccc', guest.token)).status).toBe(404);
    await world.call(`POST /calls/${join_code}/leave`, { token: guest.token, body: {} });
    expect((await react(join_code, guest.token)).status).toBe(404);
    expect(to_bob()).toHaveLength(1);
  });

  it('has a budget of all guests of one address', async () => {
    const { alice, bob } = people;
    await world.call('DELETE /calls/active', { token: alice.token });
    const { join_code, guest } = await startCallWithGuest(world, alice, [bob]);
    const react = ({ token }: { token: string }, ip: string) =>
      world.call(`POST /calls/${join_code}/reactions`, { token, body: { emoji: '🎉' }, ip });
    while (await world.app.services.throttle.tryConsume('guest_change', '10.9.0.3')) continue;
    const refused = await react(guest, '10.9.0.3');
    expect([refused.status, refused.body?.error.code]).toEqual([429, 'rate_limited']);
    const { status } = await world.call(`GET /calls/${join_code}`, { token: guest.token, ip: '10.9.0.3' });
    expect(status).toBe(200);
    for (const [who, ip] of [
      [guest, '10.9.0.4'],
      [bob, '10.9.0.3'],
    ] as const)
      expect((await react(who, ip)).status).toBe(204);
  });
});

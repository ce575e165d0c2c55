import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJoinedCall } from '../../testing/steps/call-chat.ts';
import { startCall } from '../../testing/steps/calls.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /calls/{join_code}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const statusFor = async (token: string, join_code: string) =>
    (await world.call(`GET /calls/${join_code}`, { token })).status;

  it('returns a private call to its participants only', async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob]);
    const { status, body } = await world.call(`GET /calls/${call.join_code}`, { token: bob.token });
    expect([status, body]).toEqual([200, call]);
    expect(await statusFor(carol.token, call.join_code)).toBe(404);
    const grant = await world.call(`POST /calls/${call.join_code}/sfu-grant`, { token: carol.token, body: {} });
    expect([grant.status, grant.body.error.code]).toEqual([404, 'not_found']);
  });

  it('returns a public call to everyone until it ends', async () => {
    const { bob, carol } = people;
    const { join_code } = await startCall(world, bob, [], { privacy: 'public' });
    expect(await statusFor(carol.token, join_code)).toBe(200);
    await world.call('DELETE /calls/active', { token: bob.token });
    expect(await statusFor(carol.token, join_code)).toBe(404);
    expect(await statusFor(bob.token, join_code)).toBe(200);
  });

  it('omits people with a block once the caller is no longer in the call, as their history does', async () => {
    const { alice, bob, carol } = people;
    for (const { token } of [alice, bob, carol]) await world.call('DELETE /calls/active', { token });
    const { join_code, conference_id } = await startJoinedCall(world, carol, alice, bob);
    type Named = { participants: { name: string }[] };
    const namesIn = ({ participants }: Named) => participants.map(({ name }) => name).sort();
    const namesFor = async ({ token }: Persona) =>
      namesIn((await world.call(`GET /calls/${join_code}`, { token })).body);
    await block(world, alice, bob);
    const namesSentTo = async ({ id }: Persona) => {
      const events = await world.events(`user:${id}`);
      return namesIn(events.findLast(({ type }) => type === 'call.updated' || type === 'call.ended')?.data.call);
    };
    expect(await namesFor(bob)).toEqual(['alice', 'bob', 'carol']);
    await world.call(`POST /calls/${join_code}/leave`, { token: bob.token, body: {} });
    for (const namesOf of [namesFor, namesSentTo])
      expect([await namesOf(bob), await namesOf(alice)]).toEqual([
        ['bob', 'carol'],
        ['alice', 'bob', 'carol'],
      ]);
    await world.call('DELETE /calls/active', { token: carol.token });
    for (const namesOf of [namesFor, namesSentTo])
      expect([await namesOf(bob), await namesOf(alice), await namesOf(carol)]).toEqual([
        ['bob', 'carol'],
        ['alice', 'carol'],
        ['alice', 'bob', 'carol'],
      ]);
    for (const who of [alice, bob]) {
      const [past] = await itemsOf(world, `/call-history?conference_id=${conference_id}`, who);
      expect(namesIn(past)).toEqual(await namesFor(who));
    }
  });
});

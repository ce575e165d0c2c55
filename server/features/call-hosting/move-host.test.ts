import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { block } from '../../testing/steps/follows.ts';
import { startRecordableCall } from '../../testing/samples/recording.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /calls/active/host', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const move = (who: Persona, participant_id: string) =>
    world.call('PUT /calls/active/host', { token: who.token, body: { participant_id } });

  it('makes another participant the host, who alone can then move the role or end the call for all', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob);
    const { body } = await world.call(`GET /calls/${join_code}`, { token: alice.token });
    const idOf = (who: Persona): string =>
      body.participants.find(({ user }: { user: { id: string } }) => user.id === who.id).id;
    expect((await move(bob, idOf(bob))).status).toBe(403);
    expect((await move(carol, idOf(bob))).status).toBe(404);
    expect((await move(alice, 'part_00000000000000000000000000')).status).toBe(404);
    const moved = await move(alice, idOf(bob));
    expect([moved.status, moved.body.host.id]).toEqual([200, bob.id]);
    const roles = moved.body.participants.map((participant: { user: { id: string }; role: string; state: string }) => [
      participant.user.id,
      participant.role,
      participant.state,
    ]);
    expect(roles).toEqual([
      [alice.id, 'guest', 'joined'],
      [bob.id, 'host', 'joined'],
    ]);
    const event = (await world.events(`user:${alice.id}`)).at(-1);
    expect([event?.type, event?.data.call.host.id]).toEqual(['call.updated', bob.id]);
    expect((await move(alice, idOf(alice))).status).toBe(403);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect((await world.call(`GET /calls/${join_code}`, { token: bob.token })).body.state).toBe('live');
    await world.call('DELETE /calls/active', { token: bob.token });
    expect((await world.call(`GET /calls/${join_code}`, { token: bob.token })).body.state).toBe('ended');
  });

  it('removes whom a block separates from the new host', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob, carol);
    await block(world, carol, bob);
    const { body } = await world.call(`GET /calls/${join_code}`, { token: alice.token });
    const statesOf = (participants: { user: { id: string } | null; state: string }[]) =>
      Object.fromEntries(participants.map(({ user, state }) => [user?.id, state]));
    expect(statesOf(body.participants)).toEqual({ [alice.id]: 'joined', [bob.id]: 'joined', [carol.id]: 'joined' });
    const next = body.participants.find(({ user }: { user: { id: string } }) => user.id === carol.id);
    const moved = await move(alice, next.id);
    expect(statesOf(moved.body.participants)).toEqual({ [alice.id]: 'joined', [bob.id]: 'left', [carol.id]: 'joined' });
    expect((await world.call(`POST /calls/${join_code}/sfu-grant`, { token: bob.token, body: {} })).status).toBe(404);
  });
});

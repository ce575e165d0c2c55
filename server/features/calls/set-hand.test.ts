import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, requestGrants } from '../../testing/calling.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/personas.ts';
import { startRecordableCall } from '../../testing/recording.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('PUT /calls/{join_code}/hand', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(() => world.call('DELETE /calls/active', { token: people.alice.token }));

  const hold = (join_code: string, { token }: Persona, body: object) =>
    world.call(`PUT /calls/${join_code}/hand`, { token, body });
  type Part = { id: string; user: { username: string }; hand_raised_at: string | null };
  async function partIn(join_code: string, who: Persona): Promise<Part> {
    const { body } = await world.call(`GET /calls/${join_code}`, { token: people.alice.token });
    return body.participants.find(({ user }: Part) => user.username === who.username);
  }

  it('is seen by everybody, and lowered by its owner or the host', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob, carol);
    expect((await hold(join_code, bob, { raised: true })).status).toBe(200);
    const { id, hand_raised_at } = await partIn(join_code, bob);
    expect(hand_raised_at).not.toBeNull();
    const told = (await world.events(`user:${carol.id}`)).at(-1)?.data.call.participants;
    expect(told.map((one: Part) => one.hand_raised_at)).toContain(hand_raised_at);
    // Raising it again keeps its place.
    await hold(join_code, bob, { raised: true });
    expect((await partIn(join_code, bob)).hand_raised_at).toBe(hand_raised_at);
    const others = await hold(join_code, carol, { raised: false, participant_id: id });
    expect([others.status, others.body.error.code]).toEqual([403, 'forbidden']);
    expect((await hold(join_code, alice, { raised: true, participant_id: id })).status).toBe(403);
    expect((await hold(join_code, alice, { raised: false, participant_id: id })).status).toBe(200);
    expect((await partIn(join_code, bob)).hand_raised_at).toBeNull();
  });

  it('is down for whoever left, also when they come back', async () => {
    const { alice, bob } = people;
    const { join_code, conference_id } = await startRecordableCall(world, alice, bob);
    await hold(join_code, bob, { raised: true });
    await world.call(`POST /calls/${join_code}/leave`, { token: bob.token, body: {} });
    expect((await partIn(join_code, bob)).hand_raised_at).toBeNull();
    await requestGrants(world, join_code, bob);
    await connectMedia(world, conference_id, alice, bob);
    expect((await partIn(join_code, bob)).hand_raised_at).toBeNull();
  });

  it('is for those in the call', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob);
    expect((await hold(join_code, carol, { raised: true })).status).toBe(404);
    const unknown = { raised: false, participant_id: 'part_00000000000000000000000000' };
    expect((await hold(join_code, alice, unknown)).status).toBe(404);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { startRecordableCall } from '../../testing/samples/recording.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

type Hands = { hand_raised_at: string | null }[];

describe('DELETE /calls/active/hands', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const lowerHands = (who: Persona) => world.call('DELETE /calls/active/hands', { token: who.token });
  const countRaised = (participants: Hands) => participants.filter((one) => one.hand_raised_at !== null).length;

  it('lowers the hands of all participants at once, for hosts', async () => {
    const { alice, bob, carol } = people;
    expect((await lowerHands(alice)).status).toBe(404);
    const { join_code } = await startRecordableCall(world, alice, bob, carol);
    const raise = ({ token }: Persona) => world.call(`PUT /calls/${join_code}/hand`, { token, body: { raised: true } });
    await raise(bob);
    expect(countRaised((await raise(carol)).body.participants)).toBe(2);
    expect((await lowerHands(bob)).status).toBe(403);
    const { status, body } = await lowerHands(alice);
    expect([status, countRaised(body.participants)]).toEqual([200, 0]);
    const events = await world.events(`user:${bob.id}`);
    const event = events.at(-1);
    expect([event?.type, countRaised(event?.data.call.participants)]).toEqual(['call.updated', 0]);
    // Nothing to lower changes nothing, and is announced to nobody.
    expect((await lowerHands(alice)).status).toBe(200);
    expect(await world.events(`user:${bob.id}`)).toHaveLength(events.length);
    await world.call('DELETE /calls/active', { token: alice.token });
  });
});

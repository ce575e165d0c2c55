import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Persona, type Personas } from '../../testing/personas.ts';
import { startRecordableCall } from '../../testing/recording.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /calls/{join_code}/reactions', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('emits call.reaction to those in the call; accepts exactly one emoji', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob);
    const react = ({ token }: Persona, emoji: string) =>
      world.call(`POST /calls/${join_code}/reactions`, { token, body: { emoji } });
    expect((await react(bob, '👏🏽')).status).toBe(204);
    const reactionsSentTo = async ({ id }: Persona) =>
      (await world.events(`user:${id}`)).filter(({ type }) => type === 'call.reaction').map(({ data }) => data);
    for (const who of [alice, bob]) expect(await reactionsSentTo(who)).toMatchObject([{ join_code, emoji: '👏🏽' }]);
    const wrong = await react(bob, 'well done');
    expect([wrong.status, wrong.body.error.fields]).toEqual([422, { emoji: 'must be one emoji' }]);
    expect((await react(carol, '👏')).status).toBe(404);
    expect(await reactionsSentTo(carol)).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnCallMessage, sendCallMessage, startJoinedCall } from '../../testing/steps/call-chat.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /calls/{join_code}/chat/{message_id}/edits', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('lists previous versions, also after the call, to those who may read the message', async () => {
    const { alice, bob, carol } = people;
    const call = await startJoinedCall(world, alice, bob);
    const message = await sendCallMessage(world, call, bob, 'One');
    for (const body of ['Two', 'Three']) await actOnCallMessage(world, call, bob, 'PATCH', message, { body: { body } });
    const list = (who: { token: string }) => actOnCallMessage(world, call, who, 'GET', message, { path: '/edits' });
    const versions = async (who: { token: string }) =>
      (await list(who)).body.items.map(({ body }: { body: string }) => body);
    expect(await versions(alice)).toEqual(['One', 'Two']);
    expect((await list(carol)).status).toBe(404);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect(await versions(bob)).toEqual(['One', 'Two']);
  });
});

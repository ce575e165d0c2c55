import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnCallMessage, readCallChat, sendCallMessage, startJoinedCall } from '../../testing/steps/call-chat.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /calls/{join_code}/chat/{message_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('removes text, reactions and edits and emits chat.deleted; only the author and the host may do so', async () => {
    const { alice, bob, carol } = people;
    const call = await startJoinedCall(world, alice, bob, carol);
    const [mine, other] = [
      await sendCallMessage(world, call, bob, 'Mine'),
      await sendCallMessage(world, call, bob, 'Take me out'),
    ];
    await actOnCallMessage(world, call, carol, 'PUT', mine, { path: '/reaction', body: { emoji: '👍' } });
    await actOnCallMessage(world, call, bob, 'PATCH', mine, { body: { body: 'Mine alone' } });
    const remove = async (who: { token: string }, message: { id: string }) =>
      (await actOnCallMessage(world, call, who, 'DELETE', message)).status;
    expect([await remove(carol, mine), await remove(bob, mine), await remove(bob, mine)]).toEqual([403, 204, 404]);
    expect(await remove(alice, other)).toBe(204);
    for (const message of await readCallChat(world, call, carol))
      expect(message).toMatchObject({ body: '', file: null, reactions: [], deleted_at: expect.any(String) });
    const event = (await world.events(`user:${carol.id}`)).at(-1);
    expect([event?.type, event?.data.message.id, event?.data.join_code]).toEqual([
      'chat.deleted',
      other.id,
      call.join_code,
    ]);
    const edits = await actOnCallMessage(world, call, alice, 'GET', mine, { path: '/edits' });
    expect(edits.body).toEqual({ items: [] });
  });
});

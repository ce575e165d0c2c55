import { describe, expect, it } from 'vitest';
import { default_limits } from '../../kernel/load/limits.ts';
import { eventsOf, sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { block } from '../../testing/steps/follows.ts';
import { prepareGroup, setGroupAdmin } from '../../testing/steps/groups.ts';
import { register, type Persona, type Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('PUT /groups/{group_id}/chat/{message_id}/pin', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup(
    'Band',
    (given) => {
      ({ world, people, group } = given);
    },
    ['bob', 'carol'],
  );

  const say = (who: Persona, body: string) => sendGroupMessage(world, group, who, body);
  const pin = ({ token }: Persona, message_id: string, pinned = true) =>
    world.call(`PUT /groups/${group.id}/chat/${message_id}/pin`, { token, body: { pinned } });
  const pinned = async ({ token }: Persona): Promise<string[]> => {
    const { body } = await world.call(`GET /messages/pinned?group_id=${group.id}`, { token });
    return body.items.map((one: { body: string }) => one.body);
  };

  it('pins for everyone, newest message first, until it is unpinned or deleted', async () => {
    const { alice, bob, carol } = people;
    const [first, second] = [await say(bob, 'At eight'), await say(alice, 'At nine')];
    for (const { id } of [second, first]) expect((await pin(alice, id)).status).toBe(204);
    expect(await pinned(carol)).toEqual(['At nine', 'At eight']);
    expect((await pin(alice, second.id, false)).status).toBe(204);
    expect(await pinned(bob)).toEqual(['At eight']);
    await world.call(`DELETE /groups/${group.id}/chat/${first.id}`, { token: bob.token });
    expect(await pinned(carol)).toEqual([]);
  });

  it('sends an event of each change to those who may read the message', async () => {
    const { alice, bob } = people;
    const { id } = await say(bob, 'At eight');
    await pin(alice, id);
    await pin(alice, id);
    await pin(alice, id, false);
    expect(await eventsOf(world, bob, 'chat.pinned')).toEqual([
      { group_id: group.id, message_id: id, pinned: true },
      { group_id: group.id, message_id: id, pinned: false },
    ]);
  });

  it('is for the owner and admins, of messages that they may read', async () => {
    const { alice, bob, carol } = people;
    const dave = await register(world, 'dave', 9);
    const { id } = await say(bob, 'At eight');
    expect((await pin(bob, id)).body.error.code).toBe('forbidden');
    expect((await pin(dave, id)).status).toBe(404);
    await setGroupAdmin(world, group, bob, alice);
    expect((await pin(bob, id)).status).toBe(204);
    await block(world, bob, carol);
    const hidden = await say(carol, 'Not for Bob');
    expect((await pin(bob, hidden.id)).status).toBe(404);
  });

  it('allows as many as the limit, and pinning again what is pinned', async () => {
    const { alice } = people;
    const { id } = await say(alice, 'The last');
    await world.app.services.db.native.query(
      `insert into chat_messages (id, group_id, author_id, kind, body, pinned, created_at)
       select 'chat_0' || lpad(n::text, 25, '0'), $1, $2, 'text', 'Earlier', true, now() from generate_series(1, $3::int) n`,
      [group.id, alice.id, default_limits.pinned_messages - 1],
    );
    expect((await pin(alice, id)).status).toBe(204);
    expect((await pin(alice, id)).status).toBe(204);
    const next = await say(alice, 'One more');
    expect((await pin(alice, next.id)).body.error.code).toBe('limit_reached');
  });
});

import { expect, it } from 'vitest';
import { joinGroup, createGroup } from '../../testing/grouping.ts';
import { findPersonas } from '../../testing/personas.ts';
import { createWorld } from '../../testing/world.ts';

it('GET /home/group-chat lists group chats, latest first, with their unread counts', async () => {
  const world = await createWorld();
  const { alice, bob, carol } = findPersonas();
  const [quiet, loud] = [await createGroup(world, alice, 'Quiet'), await createGroup(world, alice, 'Loud')];
  for (const group of [quiet, loud]) await joinGroup(world, group, alice, bob);
  const send = (group: { id: string }, token: string) =>
    world.call(`POST /groups/${group.id}/chat`, { token, body: { body: 'Hello' } });
  await send(quiet, alice.token);
  await send(loud, alice.token);
  await send(loud, alice.token);
  const list = async (token: string) => {
    const { status, body } = await world.call('GET /home/group-chat', { token });
    expect([status, body.has_more]).toEqual([200, false]);
    type Item = { group: { name: string }; last_message: { body: string } | null; unread_count: number };
    return body.items.map((chat: Item) => [chat.group.name, chat.last_message?.body ?? null, chat.unread_count]);
  };
  expect(await list(bob.token)).toEqual([
    ['Loud', 'Hello', 2],
    ['Quiet', 'Hello', 1],
  ]);
  expect(await list(carol.token)).toEqual([]);
  await send(quiet, bob.token);
  expect((await list(bob.token))[0]).toEqual(['Quiet', 'Hello', 0]);
  expect((await list(alice.token))[0]).toEqual(['Quiet', 'Hello', 1]);
  await world.call(`POST /groups/${loud.id}/leave`, { token: bob.token });
  expect(await list(bob.token)).toHaveLength(1);
  await world.close();
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../sdk/generated/operations.ts';
import { iterate, type PageQuery } from '../../../sdk/iterate.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

it('GET /home/group-chat lists group chats, latest first, with their unread counts', slow, async () => {
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
  const readUpTo = async (token: string) => {
    const { body } = await world.call('GET /home/group-chat', { token });
    return body.items.map((chat: { read_up_to: string | null }) => chat.read_up_to);
  };
  const { body: page } = await world.call(`GET /groups/${loud.id}/chat`, { token: bob.token });
  expect((await readUpTo(bob.token))[1]).toBeNull();
  await world.call(`POST /groups/${loud.id}/chat/read`, { token: bob.token, body: { up_to_id: page.items[1].id } });
  expect((await list(bob.token))[1]).toEqual(['Loud', 'Hello', 1]);
  expect((await readUpTo(bob.token))[1]).toBe(page.items[1].id);
  await world.call(`POST /groups/${loud.id}/leave`, { token: bob.token });
  expect(await list(bob.token)).toHaveLength(1);
  await world.close();
});

describe('GET /home/group-chat, paged', () => {
  let world: World;
  let people: Personas;
  /** By age: two with messages, of which one is pinned, and two without. */
  let groups: { id: string }[];
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    groups = [];
    for (const name of ['Pinned', 'Older', 'Newer', 'Empty', 'Newest empty'])
      groups.push(await createGroup(world, people.alice, name));
    for (const group of groups.slice(0, 3)) await send(group);
    await world.call(`PATCH /groups/${groups[0]?.id}/chat/settings`, {
      token: people.alice.token,
      body: { pinned: true },
    });
  });
  afterAll(() => world.close());

  const send = ({ id }: { id: string }) =>
    world.call(`POST /groups/${id}/chat`, { token: people.alice.token, body: { body: 'Hello' } });
  type Item = { group: { id: string; name: string }; last_message: { id: string } | null };
  const read = async (query: string): Promise<{ items: Item[]; has_more: boolean }> =>
    (await world.call(`GET /home/group-chat?${query}`, { token: people.alice.token })).body;
  const names = ({ items }: { items: Item[] }) => items.map(({ group }) => group.name);
  const sorted = ['Pinned', 'Newer', 'Older', 'Newest empty', 'Empty'];

  it('continues after the last group to the end, for the SDK as well', async () => {
    expect(names(await read(''))).toEqual(sorted);
    const read_names = [];
    for (let query = 'limit=1', has_more = true; has_more;) {
      const page = await read(query);
      read_names.push(...names(page));
      has_more = page.has_more;
      query = `limit=1&before_id=${page.items.at(-1)?.group.id}`;
    }
    expect(read_names).toEqual(sorted);
    const load = (page: PageQuery) => read(new URLSearchParams({ limit: '2', ...(page as object) }).toString());
    const { paging, cursor } = operations.home.listHomeGroupChats;
    const iterated = await Array.fromAsync(iterate(load, paging, 0, cursor));
    expect(names({ items: iterated })).toEqual(sorted);
  });

  it('continues after the last message, even if its chat has moved up, and after groups that are gone', async () => {
    const newer = (await read('')).items[1];
    await send(newer?.group ?? { id: '' });
    expect(names(await read(`before_id=${newer?.last_message?.id}`))).toEqual(sorted.slice(2));
    expect(names(await read(`before_id=grp_${'z'.repeat(26)}`))).toEqual(sorted.slice(1));
  });

  it.each(['before_id=foo', `before_id=grp_${'0'.repeat(26)}&offset=0`])('rejects %s', async (query) => {
    const { status, body } = await world.call(`GET /home/group-chat?${query}`, { token: people.alice.token });
    expect([status, Object.keys(body.error.fields)]).toEqual([422, ['before_id']]);
  });
});

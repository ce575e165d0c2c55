import { describe, expect, it } from 'vitest';
import { sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { block } from '../../testing/steps/follows.ts';
import { createGroup, joinGroup, prepareGroup } from '../../testing/steps/groups.ts';
import { openAcceptedThread } from '../../testing/steps/messages.ts';
import type { Persona, Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('GET /messages/pinned', () => {
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

  const list = ({ token }: Persona, query: string) => world.call(`GET /messages/pinned?${query}`, { token });
  const bodies = async (who: Persona, query: string): Promise<string[]> =>
    (await list(who, query)).body.items.map((one: { body: string }) => one.body);
  const sayPinned = async (who: Persona, body: string, of = group): Promise<{ id: string }> => {
    const message = await sendGroupMessage(world, of, who, body);
    const path = `PUT /groups/${of.id}/chat/${message.id}/pin`;
    expect((await world.call(path, { token: people.alice.token, body: { pinned: true } })).status).toBe(204);
    return message;
  };

  it('is read in pages, newest first', async () => {
    const { alice, bob } = people;
    for (const body of ['One', 'Two', 'Three']) await sayPinned(bob, body);
    const of = `group_id=${group.id}`;
    const { body: first } = await list(alice, `${of}&limit=2`);
    expect([first.items.map((one: { body: string }) => one.body), first.has_more]).toEqual([['Three', 'Two'], true]);
    expect(await bodies(alice, `${of}&before_id=${first.items[1].id}`)).toEqual(['One']);
    expect(first.items[0]).toMatchObject({ author: { username: 'bob' }, files: [] });
  });

  it('has nothing from before the reader joined, or that a block hides', async () => {
    const { alice, bob, carol } = people;
    await block(world, bob, carol);
    await sayPinned(carol, 'Not for Bob');
    const of = `group_id=${group.id}`;
    expect([await bodies(bob, of), await bodies(carol, of)]).toEqual([[], ['Not for Bob']]);
    const choir = await createGroup(world, alice, 'Choir');
    await sayPinned(alice, 'Early', choir);
    expect((await list(carol, `group_id=${choir.id}`)).status).toBe(404);
    await joinGroup(world, choir, alice, carol);
    expect(await bodies(carol, `group_id=${choir.id}`)).toEqual([]);
  });

  it('requires one chat, and a cursor of it', async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    for (const [query, field] of [
      ['', 'thread_id'],
      [`thread_id=${thread.id}&group_id=${group.id}`, 'group_id'],
      [`thread_id=${thread.id}&before_id=chat_${'0'.repeat(26)}`, 'before_id'],
    ] as const) {
      const { status, body } = await list(alice, query);
      expect([status, Object.keys(body.error.fields)]).toEqual([422, [field]]);
    }
    expect((await list(carol, `thread_id=${thread.id}`)).status).toBe(404);
  });
});

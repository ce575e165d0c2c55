import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /groups/{group_id}/chat/{message_id}/edits', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists previous versions to those who may read the message', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Band');
    await joinGroup(world, group, alice, bob);
    const message = await sendGroupMessage(world, group, bob, 'Six');
    const path = `/groups/${group.id}/chat/${message.id}`;
    for (const body of ['Seven', 'Eight']) await world.call(`PATCH ${path}`, { token: bob.token, body: { body } });
    const read = ({ token }: { token: string }) => world.call(`GET ${path}/edits`, { token });
    expect((await read(alice)).body.items.map((edit: { body: string }) => edit.body)).toEqual(['Six', 'Seven']);
    expect((await read(carol)).status).toBe(404);
    // A member who joined after the message was written can read neither it nor its versions.
    await joinGroup(world, group, alice, carol);
    expect((await read(carol)).status).toBe(404);
    await world.call(`DELETE ${path}`, { token: bob.token });
    expect((await read(alice)).body).toEqual({ items: [] });
  });
});

import { describe, expect, it } from 'vitest';
import { sendGroupMessage, groupTexts } from '../../testing/steps/group-chats.ts';
import { createGroup, joinGroup, prepareGroup, removeMember } from '../../testing/steps/groups.ts';
import type { Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('GET /groups/{group_id}/chat', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Band', (given) => {
    ({ world, people, group } = given);
  });

  it('lists messages to members only, newest first', async () => {
    const { alice, bob, carol } = people;
    for (const text of ['one', 'two', 'three']) await sendGroupMessage(world, group, alice, text);
    const read = (token: string, query = '') => world.call(`GET /groups/${group.id}/chat${query}`, { token });
    const page = (await read(bob.token, '?limit=2')).body;
    expect(page.items.map(({ body }: { body: string }) => body)).toEqual(['three', 'two']);
    expect(page.has_more).toBe(true);
    const rest = (await read(bob.token, `?before_id=${page.items[1].id}`)).body;
    expect([rest.items[0].body, rest.items.length, rest.has_more]).toEqual(['one', 1, false]);
    const outsider_response = await read(carol.token);
    const absent = await world.call(`GET /groups/grp_${'0'.repeat(26)}/chat`, { token: carol.token });
    expect([outsider_response.status, outsider_response.body]).toEqual([404, absent.body]);
  });

  it('can be read around and after a message, from the time the member joined', async () => {
    const { alice, bob } = people;
    const steps = await createGroup(world, alice, 'Steps');
    const ids: string[] = [(await sendGroupMessage(world, steps, alice, 'Step 0')).id];
    await joinGroup(world, steps, alice, bob);
    for (let at = 1; at < 5; at++) ids.push((await sendGroupMessage(world, steps, alice, `Step ${at}`)).id);
    const read = async (query: string) => {
      const { body } = await world.call(`GET /groups/${steps.id}/chat?${query}`, { token: bob.token });
      return [body.items.map((message: { body: string }) => message.body), body.has_more];
    };
    expect(await read(`around_id=${ids[2]}&limit=3`)).toEqual([['Step 3', 'Step 2', 'Step 1'], false]);
    expect(await read(`around_id=${ids[0]}&limit=3`)).toEqual([['Step 1'], false]);
    expect(await read(`after_id=${ids[0]}&limit=2`)).toEqual([['Step 2', 'Step 1'], true]);
  });

  it('starts for each member when they join and ends when they leave', async () => {
    const { alice, bob, carol } = people;
    const contact = await joinGroup(world, group, alice, carol);
    expect(await groupTexts(world, group, carol)).toEqual([]);
    await sendGroupMessage(world, group, bob, 'four');
    expect(await groupTexts(world, group, carol)).toEqual(['four']);
    await removeMember(world, group, contact, alice);
    expect((await world.call(`GET /groups/${group.id}/chat`, { token: carol.token })).status).toBe(404);
    await sendGroupMessage(world, group, bob, 'five');
    await joinGroup(world, group, alice, carol);
    expect(await groupTexts(world, group, carol)).toEqual([]);
    await sendGroupMessage(world, group, bob, 'six');
    expect(await groupTexts(world, group, carol)).toEqual(['six']);
  });

  it('omits messages of a suspended member', async () => {
    const { alice, bob } = people;
    const { db } = world.app.services;
    await sendGroupMessage(world, group, alice, 'mine');
    await sendGroupMessage(world, group, bob, 'yours');
    await db.native.query('update users set suspended_at = now() where id = $1', [bob.id]);
    expect(await groupTexts(world, group, alice)).toEqual(['mine']);
  });
});

import { describe, expect, it } from 'vitest';
import { sendGroupMessage, unreadCount } from '../../testing/steps/group-chats.ts';
import { createGroup, prepareGroup } from '../../testing/steps/groups.ts';
import type { Persona, Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('POST /groups/{group_id}/chat/delivered', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Band', (given) => {
    ({ world, people, group } = given);
  });

  const mark = ({ token }: Persona, up_to_id: string) =>
    world.call(`POST /groups/${group.id}/chat/delivered`, { token, body: { up_to_id } });

  it('reads nothing, and notifies nobody', async () => {
    const { alice, bob } = people;
    const { id } = await sendGroupMessage(world, group, alice, 'At eight?');
    const counts = async () =>
      Promise.all([alice, bob].map(async (who) => (await world.events(`user:${who.id}`)).length));
    const before = await counts();
    expect((await mark(bob, id)).status).toBe(204);
    expect([await unreadCount(world, group, bob), await counts()]).toEqual([1, before]);
  });

  it('accepts only messages of the group, of its members', async () => {
    const { alice, bob, carol } = people;
    const elsewhere = await createGroup(world, bob, 'Other');
    const foreign = await sendGroupMessage(world, elsewhere, bob, 'Here');
    const refused = await mark(bob, foreign.id);
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, ['up_to_id']]);
    const { id } = await sendGroupMessage(world, group, alice, 'At eight?');
    expect((await mark(carol, id)).status).toBe(404);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { inviteByMail } from '../../testing/steps/invites.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /me/invites', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists invites of the caller, newest first, all or by state', async () => {
    const { alice, bob } = people;
    expect(await itemsOf(world, '/me/invites', alice)).toEqual([]);
    const invites: { id: string }[] = [];
    for (const at of [0, 1, 2]) invites.push((await inviteByMail(world, alice, `friend-${at}@example.org`)).body);
    await inviteByMail(world, bob, 'other@example.org');
    await world.call(`DELETE /invites/${invites[1]?.id}`, { token: alice.token });
    const recipients = async (path: string) => (await itemsOf(world, path, alice)).map(({ to }: { to: string }) => to);
    expect(await recipients('/me/invites')).toEqual([
      'friend-2@example.org',
      'friend-1@example.org',
      'friend-0@example.org',
    ]);
    expect(await recipients('/me/invites?state=sent')).toEqual(['friend-2@example.org', 'friend-0@example.org']);
    expect(await recipients('/me/invites?state=revoked')).toEqual(['friend-1@example.org']);
    const first = await world.call('GET /me/invites?limit=1', { token: alice.token });
    expect(first.body.has_more).toBe(true);
    expect(await recipients(`/me/invites?before_id=${first.body.items[0].id}`)).toHaveLength(2);
    const invalid = await world.call('GET /me/invites?state=lost', { token: alice.token });
    expect([invalid.status, Object.keys(invalid.body.error.fields)]).toEqual([422, ['state']]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, follow, createTag } from '../../testing/steps/follows.ts';
import { answerInvite, inviteToGroup, invitesOf, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /people/{user_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const read = (who: Persona, token?: string) => world.call(`GET /people/${who.id}`, { token });
  const nameOf = ({ name }: { name: string }) => name;

  it('returns the profile of a user, with those of their tags that are public or that the caller follows', async () => {
    const { alice, bob, carol } = people;
    await world.call('PATCH /me', { token: alice.token, body: { bio: 'Night walks' } });
    const followed = await createTag(world, alice, 'followed');
    const hidden = await createTag(world, alice, 'hideout');
    await createTag(world, alice, 'open');
    for (const tag of [followed, hidden]) await follow(world, tag, bob);
    await world.call(`PATCH /xtags/${hidden.id}`, { token: alice.token, body: { visibility: 'private' } });
    const seen = await read(alice, bob.token);
    expect(seen.status).toBe(200);
    expect(seen.body).toMatchObject({
      user: { id: alice.id, username: 'alice' },
      bio: 'Night walks',
      joined_at: expect.any(String),
      shared_groups: [],
      live: { live: false },
    });
    expect(seen.body.tags.map(nameOf)).toEqual(['followed', 'hideout', 'open']);
    expect((await read(alice, carol.token)).body.tags.map(nameOf)).toEqual(['followed', 'open']);
    expect((await read(alice, alice.token)).body.tags.map(nameOf).sort()).toEqual(['followed', 'hideout', 'open']);
  });

  it('lists groups that both users are members of, and no others', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Walkers');
    await createGroup(world, alice, 'Bakers');
    for (const who of [bob, carol]) await inviteToGroup(world, group, alice, who);
    const [invite] = await invitesOf(world, bob);
    await answerInvite(world, invite, bob, 'accept');
    const groupsOf = async (who: Persona, reader: Persona) =>
      (await read(who, reader.token)).body.shared_groups.map(nameOf);
    expect(await groupsOf(alice, bob)).toEqual(['Walkers']);
    expect(await groupsOf(bob, alice)).toEqual(['Walkers']);
    // An invited user is not a member.
    expect([await groupsOf(alice, carol), await groupsOf(carol, bob)]).toEqual([[], []]);
  });

  it('returns 404 across a block and 401 without an account', async () => {
    const { alice, carol } = people;
    expect((await read(carol, alice.token)).status).toBe(200);
    await block(world, carol, alice);
    expect([(await read(carol, alice.token)).status, (await read(alice, carol.token)).status]).toEqual([404, 404]);
    expect((await read(alice)).status).toBe(401);
    const nobody = await world.call('GET /people/usr_00000000000000000000000000', { token: alice.token });
    expect(nobody.status).toBe(404);
  });
});

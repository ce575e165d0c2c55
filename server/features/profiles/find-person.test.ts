import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, createTag, follow } from '../../testing/steps/follows.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /people', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const find = async (username: string, { token }: Persona) => {
    const { status, body } = await world.call(`GET /people?username=${encodeURIComponent(username)}`, { token });
    expect(status).toBe(200);
    return body.items.map(({ id }: { id: string }) => id);
  };
  const letFind = (who: Persona, whom: string) =>
    world.call('PATCH /me', { token: who.token, body: { reach: { find: whom } } });

  it('finds a person without a tag by the whole username, in any case', async () => {
    const { alice, bob } = people;
    await letFind(alice, 'everyone');
    const { body } = await world.call('GET /people?username=Alice', { token: bob.token });
    expect(body).toEqual({ items: [expect.objectContaining({ id: alice.id, username: 'alice' })], has_more: false });
    expect(Object.keys(body.items[0]).toSorted()).toEqual(['avatar_url', 'display_name', 'id', 'username']);
    for (const other of ['alic', 'alicee', 'a%', 'al_ce', '@alice', '', 'x'.repeat(100)].filter(Boolean))
      expect([other, await find(other, bob)]).toEqual([other, []]);
  });

  it('finds nobody whose reach excludes the caller', async () => {
    const { alice, bob, carol } = people;
    // By default contacts, and people whom one follows, find one.
    expect(await find('alice', bob)).toEqual([]);
    await follow(world, await createTag(world, bob, 'pier'), alice);
    expect([await find('alice', bob), await find('alice', carol)]).toEqual([[alice.id], []]);
    await letFind(alice, 'mutual');
    expect(await find('alice', bob)).toEqual([]);
    await follow(world, await createTag(world, alice, 'walks'), bob);
    expect(await find('alice', bob)).toEqual([alice.id]);
    await letFind(alice, 'none');
    expect(await find('alice', bob)).toEqual([]);
  });

  it('finds neither oneself nor across a block', async () => {
    const { alice, bob } = people;
    await letFind(alice, 'everyone');
    expect(await find('alice', alice)).toEqual([]);
    await block(world, alice, bob);
    expect(await find('alice', bob)).toEqual([]);
  });

  it('refuses a client that tries one name after another', async () => {
    const { bob } = people;
    const read = (name: string) => world.call(`GET /people?username=${name}`, { token: bob.token });
    for (let tries = 0; tries < 60; tries++) expect((await read(`guess${tries}`)).status).toBe(200);
    expect((await read('guess60')).status).toBe(429);
  });
});

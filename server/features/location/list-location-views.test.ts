import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, setReach } from '../../testing/steps/contacts.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { listen } from '../../testing/world/listening.ts';
import { visibleNames, reportPosition, changeSharing } from '../../testing/steps/location.ts';
import { findPersonas, advanceSeconds, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /location/views', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists each viewer once, latest first, and a link without a name', async () => {
    const { alice, bob, carol } = people;
    const expires_at = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
    const link = (await world.call('POST /location/links', { token: alice.token, body: { expires_at } })).body;
    await changeSharing(world, alice, { mode: 'selected', people: [bob.id, carol.id] });
    await reportPosition(world, alice);
    for (const who of [bob, carol]) {
      await visibleNames(world, who);
      await advanceSeconds(world, 60);
    }
    await world.call(`GET /public-links/${link.url.split('/').at(-1)}`);
    await advanceSeconds(world, 600);
    await reportPosition(world, alice);
    await visibleNames(world, bob);
    const views = await itemsOf(world, '/location/views', alice);
    expect(
      views.map(
        ({ viewer, link_id, count }: { viewer: { username: string } | null; link_id: string; count: number }) => [
          viewer?.username ?? link_id,
          count,
        ],
      ),
    ).toEqual([
      ['bob', 2],
      [link.id, 1],
      ['carol', 1],
    ]);
    await world.call('POST /blocks', { token: alice.token, body: { user_id: bob.id } });
    expect(await itemsOf(world, '/location/views', alice)).toHaveLength(2);
    const page = await world.call('GET /location/views?limit=1', { token: alice.token });
    expect(page.body.has_more).toBe(true);
  });

  it('is paged by the last identifier, without repeating a viewer who views again meanwhile', async () => {
    const { alice, bob, carol } = people;
    const read = async (query: string) =>
      (await world.call(`GET /location/views?${query}`, { token: carol.token })).body;
    await changeSharing(world, carol, { mode: 'selected', people: [alice.id, bob.id] });
    await reportPosition(world, carol);
    for (const who of [alice, bob]) {
      await visibleNames(world, who);
      await advanceSeconds(world, 60);
    }
    const first = await read('limit=1');
    expect(first.items).toMatchObject([{ id: expect.stringMatching(/^view_/), viewer: { username: 'bob' } }]);
    await visibleNames(world, bob);
    const second = await read(`limit=1&before_id=${first.items[0].id}`);
    expect([second.items[0].viewer.username, second.has_more]).toEqual(['alice', false]);
    expect((await read('')).items.map(({ viewer }: { viewer: { username: string } }) => viewer.username)).toEqual([
      'bob',
      'alice',
    ]);
  });

  it('does not reveal whose number a contact has who does not let the owner find them', async () => {
    const { alice, bob, carol } = people;
    const named = async () =>
      (await itemsOf(world, '/location/views', bob)).map(
        ({ viewer }: { viewer: { username: string } }) => viewer.username,
      );
    // Strangers whose numbers bob has tried; to find people is for contacts of theirs by default.
    for (const [name, one] of [['One', alice] as const, ['Other', carol] as const])
      await addContact(world, bob, { name, phones: [{ number: one.mobile_number }] });
    expect((await itemsOf(world, '/contacts', bob)).map(({ user }: { user: unknown }) => user)).toEqual([null, null]);
    for (const mode of ['contacts', 'public']) {
      await setReach(world, bob, { find: 'everyone' });
      expect((await changeSharing(world, bob, { mode })).status).toBe(200);
      await listen(world, alice);
      await reportPosition(world, bob);
      expect(await visibleNames(world, carol)).toContain('bob');
      await advanceSeconds(world, 60);
    }
    expect(await named()).toEqual([]);
    await setReach(world, carol, { find: 'everyone' });
    expect(await visibleNames(world, carol)).toContain('bob');
    expect(await named()).toEqual(['carol']);
  });

  it.each(['before_id=foo', `before_id=view_${'0'.repeat(26)}&offset=0`])('rejects %s', async (query) => {
    const { status, body } = await world.call(`GET /location/views?${query}`, { token: people.alice.token });
    expect([status, Object.keys(body.error.fields)]).toEqual([422, ['before_id']]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { openAcceptedThread, sendMessage, threadTexts } from '../../testing/steps/messages.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /dm/threads/{thread_id}/chat', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('lists messages to the two users, newest first, and paginates without gaps while more arrive', async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    for (let at = 0; at < 5; at++) await sendMessage(world, thread, at % 2 ? alice : bob, `Word ${at}`);
    const path = `/dm/threads/${thread.id}/chat`;
    const texts: string[] = [];
    let before = '';
    for (let page = 0; page < 20; page++) {
      const { body } = await world.call(`GET ${path}?limit=2${before}`, { token: alice.token });
      texts.push(...body.items.map((item: { body: string }) => item.body));
      await sendMessage(world, thread, bob, 'Meanwhile');
      if (!body.has_more) break;
      before = `&before_id=${body.items.at(-1).id}`;
    }
    expect(texts).toEqual(['Word 4', 'Word 3', 'Word 2', 'Word 1', 'Word 0', 'Hello yourself', 'Hello']);
    expect((await itemsOf(world, `${path}?offset=4&limit=1`, bob))[0].body).toBe('Word 4');
    expect(await threadTexts(world, thread, bob)).toHaveLength(11);
    expect((await world.call(`GET ${path}`, { token: carol.token })).status).toBe(404);
  });

  it('can be read from a point in time', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    await world.clock.advance(60);
    const since = world.clock.now().toISOString();
    const first = await sendMessage(world, thread, alice, 'A minute later');
    await sendMessage(world, thread, bob, 'And after that');
    const read = (query: string) => world.call(`GET /dm/threads/${thread.id}/chat?${query}`, { token: bob.token });
    const { body } = await read(`since=${since}&limit=1`);
    expect([body.items.map(({ id }: { id: string }) => id), body.has_more]).toEqual([[first.id], true]);
    expect((await read('since=2099-01-01T00:00:00Z')).body).toEqual({ items: [], has_more: false });
    for (const wrong of ['since=yesterday', `since=${since}&after_id=${first.id}`])
      expect((await read(wrong)).status).toBe(422);
  });

  it('can be read around, after and before a message', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const ids: string[] = [];
    for (let at = 0; at < 7; at++) ids.push((await sendMessage(world, thread, alice, `Step ${at}`)).id);
    const read = async (query: string) => {
      const { status, body } = await world.call(`GET /dm/threads/${thread.id}/chat?${query}`, { token: bob.token });
      expect([status, body.error]).toEqual([200, undefined]);
      return [body.items.map((item: { body: string }) => item.body), body.has_more];
    };
    expect(await read(`around_id=${ids[3]}&limit=4`)).toEqual([['Step 5', 'Step 4', 'Step 3', 'Step 2'], true]);
    expect(await read(`around_id=${ids[6]}&limit=1`)).toEqual([['Step 6'], true]);
    expect(await read(`after_id=${ids[3]}&limit=2`)).toEqual([['Step 5', 'Step 4'], true]);
    expect(await read(`after_id=${ids[5]}&limit=2`)).toEqual([['Step 6'], false]);
    expect(await read(`after_id=${ids[6]}`)).toEqual([[], false]);
    const twice = await world.call(`GET /dm/threads/${thread.id}/chat?around_id=${ids[0]}&before_id=${ids[1]}`, {
      token: bob.token,
    });
    expect([twice.status, Object.keys(twice.body.error.fields)]).toEqual([422, ['before_id']]);
  });
});

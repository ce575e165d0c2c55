import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgeStatuses } from '../../domain/social/purge-statuses.ts';
import { sql } from '../../kernel/database/database.ts';
import { change } from '../../kernel/services.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { postStatus, replyTo } from '../../testing/steps/statuses.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /statuses/{post_id}/replies', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('creates and counts a reply, and notifies the author and mentioned users once each', async () => {
    const { alice, bob, carol } = people;
    const status = await postStatus(world, alice, 'Hello');
    const reply = await replyTo(world, status, bob, 'Hello @alice and @carol');
    const { body } = await world.call('GET /statuses', { token: alice.token });
    expect(body.items[0].reply_count).toBe(1);
    const kinds = async (who: typeof bob) =>
      (await itemsOf(world, '/notifications', who)).map(({ kind, text }: { kind: string; text: string }) => [
        kind,
        text,
      ]);
    expect(await kinds(alice)).toEqual([['reply', 'bob replied to your post']]);
    expect(await kinds(carol)).toEqual([['mention', 'bob mentioned you']]);
    expect(await world.events(`user:${alice.id}`)).toContainEqual({ type: 'reply.posted', data: { reply } });
    await replyTo(world, status, alice, 'My own');
    expect(await kinds(alice)).toHaveLength(1);
  });

  it('combines notifications of several replies', async () => {
    const { alice, bob, carol } = people;
    const status = await postStatus(world, alice, 'Many');
    await replyTo(world, status, bob, 'One');
    await replyTo(world, status, carol, 'Two');
    expect((await itemsOf(world, '/notifications', alice))[0].text).toBe('2 people replied to your post');
  });

  it('rejects blank text, and returns 404 across a block', async () => {
    const { alice, bob, carol } = people;
    const status = await postStatus(world, alice, 'Last');
    const reply = (token: string, body: string) =>
      world.call(`POST /statuses/${status.id}/replies`, { token, body: { body } });
    expect(Object.keys((await reply(bob.token, ' ')).body.error.fields)).toEqual(['body']);
    await block(world, carol, alice);
    expect((await reply(carol.token, 'Hi')).status).toBe(404);
  });

  it('returns 404 if the status is deleted concurrently', async () => {
    const { alice, bob } = people;
    const status = await postStatus(world, alice, 'Going');
    let reply: Promise<{ status: number }> | undefined;
    await change(world.app.services, async (deletion) => {
      await deletion.db.run(sql`select 1 from statuses where id = ${status.id} for update`);
      reply = world.call(`POST /statuses/${status.id}/replies`, { token: bob.token, body: { body: 'Too late' } });
      await waitForLocks(world, 1);
      await purgeStatuses(deletion, [status.id]);
    });
    expect((await reply)?.status).toBe(404);
  });
});

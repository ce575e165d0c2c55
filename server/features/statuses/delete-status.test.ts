import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slow } from '../../../testing/slow-tests.ts';
import { hideContent } from '../../domain/moderation/hide-content.ts';
import { sql } from '../../kernel/database/database.ts';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { listedTexts, postStatus, replyTo } from '../../testing/steps/statuses.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /statuses/{post_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('deletes replies, notifications and counts, and emits status.deleted to followers', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'short-lived');
    await follow(world, tag, bob);
    await world.call('POST /notifications/read-all', { token: alice.token, body: {} });
    const status = await postStatus(world, alice, 'Hello @bob', { tag_id: tag.id });
    const reply = await replyTo(world, status, bob, 'Hello back');
    const remove = (token: string) => world.call(`DELETE /statuses/${status.id}`, { token });
    expect((await remove(bob.token)).body.error.code).toBe('forbidden');
    expect((await remove(alice.token)).status).toBe(204);
    expect((await remove(alice.token)).status).toBe(404);
    expect(await listedTexts(world, '/feed', bob)).toEqual([]);
    expect((await world.call(`GET /statuses/${status.id}/replies`, { token: bob.token })).status).toBe(404);
    expect((await world.call(`DELETE /statuses/replies/${reply.id}`, { token: bob.token })).status).toBe(404);
    expect(await itemsOf(world, '/notifications', bob)).toEqual([]);
    expect(await itemsOf(world, '/notifications?unread=true', alice)).toEqual([]);
    expect((await world.events(`stream:${tag.id}`)).at(-1)).toEqual({
      type: 'status.deleted',
      data: { id: status.id },
    });
    const { rows } = await world.app.services.db.native.query(
      'select status_count, public_status_count from tags where id = $1',
      [tag.id],
    );
    expect(rows[0]).toEqual({ status_count: 0, public_status_count: 0 });
  });

  it('deletes any number of replies and likes in portions, and is gone for everybody at once', slow, async () => {
    const { alice, bob } = people;
    const status = await postStatus(world, alice, 'Everybody replies');
    const db = world.app.services.db.native;
    await db.query(
      `insert into replies (id, status_id, author_id, body, created_at)
       select 'rpl_' || lpad(n::text, 26, '0'), $1, $2, 'Me too', now() from generate_series(1, 1200) n`,
      [status.id, bob.id],
    );
    await world.call(`PUT /statuses/${status.id}/like`, { token: bob.token });
    const countReplies = async () =>
      (await db.query('select 1 from replies where status_id = $1', [status.id])).rowCount;
    const readAs = async ({ token }: { token: string }) =>
      (await world.call(`GET /statuses/${status.id}`, { token })).status;
    expect((await world.call(`DELETE /statuses/${status.id}`, { token: alice.token })).status).toBe(204);
    expect([await countReplies(), await readAs(bob), await readAs(alice)]).toEqual([700, 404, 404]);
    for (const list of ['/feed', '/statuses'])
      expect(await listedTexts(world, list, alice), list).not.toContain('Everybody replies');
    expect((await world.call(`DELETE /statuses/${status.id}`, { token: alice.token })).status).toBe(404);
    const restored = hideContent(world.app.services, 'status', status.id, 'unhide', {
      operator: 'root',
      reason: 'Fine',
    });
    await expect(restored).rejects.toThrow(`There is no status ${status.id} to unhide.`);
    await world.settle();
    expect([await countReplies(), await readAs(alice)]).toEqual([0, 404]);
    expect(await itemsOf(world, '/notifications?unread=true', alice)).toEqual([]);
  });

  it('deletes a reply that is posted concurrently, and its notification', async () => {
    const { alice, bob } = people;
    const status = await postStatus(world, alice, 'Short-lived');
    let answers: Promise<{ status: number }[]> | undefined;
    await world.app.services.db.transaction(async (tx) => {
      // The reply is inserted and waits to notify its recipient; the deletion waits for the reply.
      await tx.run(sql`select 1 from users where id = ${alice.id} for update`);
      const reply = replyTo(world, status, bob, 'Just in time');
      await waitForLocks(world, 1);
      const deletion = world.call(`DELETE /statuses/${status.id}`, { token: alice.token });
      await waitForLocks(world, 2);
      answers = Promise.all([reply.then(() => ({ status: 201 })), deletion]);
    });
    expect((await answers)?.map(({ status: response_status }) => response_status)).toEqual([201, 204]);
    const remaining = await world.app.services.db.native.query('select 1 from notifications where subject_id = $1', [
      status.id,
    ]);
    expect(remaining.rowCount).toBe(0);
  });
});

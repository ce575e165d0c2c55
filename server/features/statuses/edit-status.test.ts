import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { listedTexts, postStatus, replyTo } from '../../testing/steps/statuses.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /statuses/{post_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const edit = (id: string, { token }: { token: string }, body: object) =>
    world.call(`PATCH /statuses/${id}`, { token, body });

  it('changes the text, sets edited_at, and emits status.updated to followers', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'edited');
    await follow(world, tag, bob);
    const status = await postStatus(world, alice, 'with a slip', { tag_id: tag.id });
    const edited = await edit(status.id, alice, { body: 'without' });
    expect(edited.body).toEqual({ ...status, body: 'without', edited_at: expect.any(String) });
    expect(await listedTexts(world, '/feed', bob)).toEqual(['without']);
    const events = await world.events(`stream:${tag.id}`);
    expect(events.at(-1)).toEqual({ type: 'status.updated', data: { status: edited.body } });
    expect((await world.call('GET /feed', { token: bob.token })).body.items[0]).not.toHaveProperty('edits');
    const same = await edit(status.id, alice, { body: 'without' });
    expect(same.body.edited_at).toBe(edited.body.edited_at);
  });

  it('notifies newly mentioned users once, and removes notifications of those no longer mentioned', async () => {
    const { alice, bob, carol } = people;
    const status = await postStatus(world, alice, 'Hello @bob');
    const mentions = async (who: typeof bob) =>
      (await itemsOf(world, '/notifications', who)).filter(({ kind }: { kind: string }) => kind === 'mention').length;
    expect([await mentions(bob), await mentions(carol)]).toEqual([1, 0]);
    await edit(status.id, alice, { body: 'Hello @bob and @carol' });
    expect([await mentions(bob), await mentions(carol)]).toEqual([1, 1]);
    await edit(status.id, alice, { body: 'Hello @carol' });
    expect([await mentions(bob), await mentions(carol)]).toEqual([0, 1]);
  });

  it('keeps the first and the latest versions, however often it is edited', async () => {
    const { alice } = people;
    const status = await postStatus(world, alice, 'original');
    for (let at = 1; at <= 30; at++) expect((await edit(status.id, alice, { body: `edit ${at}` })).status).toBe(200);
    const { body } = await world.call(`GET /statuses/${status.id}`, { token: alice.token });
    expect(body.edits.map((item: { body: string }) => item.body)).toEqual([
      'original',
      ...Array.from({ length: 19 }, (_, at) => `edit ${at + 11}`),
    ]);
    expect(body.edit_count).toBe(30);
    const [listed] = await itemsOf(world, '/statuses?limit=1', alice);
    expect([listed.edits.map((item: { body: string }) => item.body), listed.edit_count]).toEqual([
      ['original', 'edit 28', 'edit 29'],
      30,
    ]);
    const { rows } = await world.app.services.db.native.query('select 1 from status_edits where status_id = $1', [
      status.id,
    ]);
    expect(rows).toHaveLength(20);
  });

  it('can reduce the visibility', async () => {
    const { alice, carol } = people;
    const status = await postStatus(world, alice, 'public at first');
    const readReplies = () => world.call(`GET /statuses/${status.id}/replies`, { token: carol.token });
    expect((await readReplies()).status).toBe(200);
    expect((await edit(status.id, alice, { visibility: 'followers' })).body.visibility).toBe('followers');
    expect((await readReplies()).status).toBe(404);
  });

  it('is allowed to the author only', async () => {
    const { alice, bob } = people;
    const open = await postStatus(world, alice, 'open');
    const closed = await postStatus(world, alice, 'closed', { visibility: 'followers' });
    const { carol } = people;
    expect((await edit(open.id, bob, { body: 'mine' })).body.error.code).toBe('forbidden');
    expect((await edit(closed.id, carol, { body: 'mine' })).body.error.code).toBe('not_found');
  });

  it('removes notifications of replies for those who can no longer see the status', async () => {
    const { alice, bob, carol } = people;
    await follow(world, await createTag(world, alice, 'readers'), bob);
    const status = await postStatus(world, alice, 'For all');
    await replyTo(world, status, carol, 'Hear, @bob');
    await replyTo(world, status, bob, 'Hear, @carol');
    const notificationCount = async (who: typeof bob) =>
      (await itemsOf(world, '/notifications', who)).filter(
        ({ subject }: { subject: { id: string } }) => subject.id === status.id,
      ).length;
    expect([await notificationCount(alice), await notificationCount(bob), await notificationCount(carol)]).toEqual([
      1, 1, 1,
    ]);
    await world.call(`PATCH /statuses/${status.id}`, { token: alice.token, body: { visibility: 'followers' } });
    expect([await notificationCount(alice), await notificationCount(bob), await notificationCount(carol)]).toEqual([
      1, 1, 0,
    ]);
    expect((await world.events(`user:${carol.id}`)).at(-1)?.type).toBe('notification.cleared');
  });
});

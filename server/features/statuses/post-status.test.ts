import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { listedTexts, postStatus } from '../../testing/steps/statuses.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, openNode, type World } from '../../testing/world/world.ts';

describe('POST /statuses', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('emits status.posted to followers of the tag and to the devices of the author', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'jazz', { title: 'Evenings' });
    await follow(world, tag, bob);
    const status = await postStatus(world, alice, 'Tonight at nine', { tag_id: tag.id });
    expect(status).toMatchObject({
      author: { username: 'alice' },
      tag: { id: tag.id, name: 'jazz', title: 'Evenings' },
      body: 'Tonight at nine',
      media: [],
      visibility: 'public',
      reply_count: 0,
      edited_at: null,
    });
    expect(await listedTexts(world, '/feed', bob)).toEqual(['Tonight at nine']);
    for (const topic of [`stream:${tag.id}`, `user:${alice.id}`])
      expect(await world.events(topic)).toContainEqual({ type: 'status.posted', data: { status } });
  });

  it('shows author and tag as they are now, even if another node has changed them', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'jazz', { title: 'Evenings' });
    await follow(world, tag, bob);
    const events = () => world.events(`stream:${tag.id}`);
    const post = async (body: string) => {
      const status = await postStatus(world, alice, body, { tag_id: tag.id });
      expect((await world.call(`GET /statuses/${status.id}`, { token: bob.token })).body).toEqual(status);
      expect((await events()).at(-1)).toEqual({ type: 'status.posted', data: { status } });
      return status;
    };
    await post('One');
    expect(await post('Two')).toMatchObject({ author: { display_name: 'alice' }, tag: { title: 'Evenings' } });
    const other = await openNode(world);
    try {
      const { token } = alice;
      await other.call('PATCH /me', { token, body: { display_name: 'Alice A.' } });
      expect(await post('Three')).toMatchObject({ author: { display_name: 'Alice A.' } });
      await other.call(`PATCH /xtags/${tag.id}`, { token, body: { title: 'Late evenings' } });
      expect(await post('Four')).toMatchObject({ tag: { title: 'Late evenings' } });
      // An operator has hidden the tag, so that its followers receive nothing.
      await other.app.services.db.native.query('update tags set hidden_at = now() where id = $1', [tag.id]);
      const event_count = (await events()).length;
      await postStatus(world, alice, 'Five', { tag_id: tag.id });
      expect((await events()).length).toBe(event_count);
      await other.call(`DELETE /xtags/${tag.id}`, { token });
      const late = await world.call('POST /statuses', { token, body: { body: 'Six', tag_id: tag.id } });
      expect([late.status, Object.keys(late.body.error.fields)]).toEqual([422, ['tag_id']]);
    } finally {
      await other.close();
    }
  });

  it('without a tag is shown to followers of any tag of the author', async () => {
    const { alice, bob, carol } = people;
    await follow(world, await createTag(world, alice, 'jazz'), bob);
    await postStatus(world, alice, 'To all of you', { visibility: 'followers' });
    expect(await listedTexts(world, '/feed', bob)).toEqual(['To all of you']);
    expect(await listedTexts(world, '/feed', carol)).toEqual([]);
  });

  it('notifies each mentioned user once, if they can see the status', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, carol, 'carols');
    const body = 'Ask @Bob, or @bob again, and *carols. Not a@carol nor @nobody or *none';
    const status = await postStatus(world, alice, body);
    expect(status.mentions.toSorted((a: { text: string }, b: { text: string }) => (a.text < b.text ? -1 : 1))).toEqual([
      { text: '*carols', type: 'tag', id: tag.id },
      { text: '@bob', type: 'user', id: bob.id },
    ]);
    const mentions = async (who: typeof bob) =>
      (await itemsOf(world, '/notifications', who)).filter(({ kind }: { kind: string }) => kind === 'mention');
    expect(await mentions(bob)).toMatchObject([
      { text: 'alice mentioned you', subject: { type: 'status', id: status.id } },
    ]);
    expect(await mentions(carol)).toHaveLength(1);
    await postStatus(world, alice, 'Only for followers, @carol', { visibility: 'followers' });
    expect(await mentions(carol)).toHaveLength(1);
  });

  it('rejects a blank body, a tag of another account, and a file of another account', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, bob, 'bobs');
    const fields = async (body: object) => {
      const answer = await world.call('POST /statuses', { token: alice.token, body });
      return [answer.status, Object.keys(answer.body.error?.fields ?? {})];
    };
    expect(await fields({ body: ' \n' })).toEqual([422, ['body']]);
    expect(await fields({ body: 'x'.repeat(2001) })).toEqual([422, ['body']]);
    expect(await fields({ body: 'x', tag_id: tag.id })).toEqual([422, ['tag_id']]);
    expect(await fields({ body: 'x', media: [`file_${'0'.repeat(26)}`] })).toEqual([422, ['media.0']]);
    expect(await listedTexts(world, '/statuses', alice)).not.toContain('x');
  });
});

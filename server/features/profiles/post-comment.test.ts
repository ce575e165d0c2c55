import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comment } from '../../testing/steps/comments.ts';
import { block, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /profiles/{xtag}/comments', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const notificationsOf = async (who: Persona) =>
    (await itemsOf(world, '/notifications', who)).map(({ kind, text }: { kind: string; text: string }) => [kind, text]);

  it('notifies the owner and mentioned users, once each, and not the author', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'guestbook');
    const created = await comment(world, tag, bob, 'Hello @alice, @carol and @bob');
    expect(created).toMatchObject({ tag_id: tag.id, author: { id: bob.id }, body: 'Hello @alice, @carol and @bob' });
    expect(created.mentions.map(({ text }: { text: string }) => text).sort()).toEqual(['@alice', '@bob', '@carol']);
    expect(await notificationsOf(alice)).toEqual([['comment', 'bob commented on *guestbook']]);
    expect(await notificationsOf(carol)).toEqual([['mention', 'bob mentioned you']]);
    expect(await notificationsOf(bob)).toEqual([]);
    const event = { type: 'comment.posted', data: { comment: created } };
    for (const who of [alice, bob]) expect(await world.events(`user:${who.id}`)).toContainEqual(event);
    await comment(world, tag, carol, 'Me too');
    await comment(world, tag, alice, 'Thanks');
    expect(await notificationsOf(alice)).toEqual([['comment', '2 people commented on *guestbook']]);
  });

  it('is rejected with 409 while comments are closed, except for the owner', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'quiet', { comments_open: false });
    const refused = await world.call('POST /profiles/quiet/comments', { token: bob.token, body: { body: 'Hi' } });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'comments_closed']);
    await comment(world, tag, alice, 'A notice');
    await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { comments_open: true } });
    await comment(world, tag, bob, 'Now');
  });

  it('rejects blank and too long text, and returns 404 across a block or for a private tag', async () => {
    const { alice, bob, carol } = people;
    await createTag(world, alice, 'open-house');
    await createTag(world, alice, 'own-house', { visibility: 'private' });
    const post = (name: string, token: string, body: string) =>
      world.call(`POST /profiles/${name}/comments`, { token, body: { body } });
    for (const body of [' \n', '', 'x'.repeat(1001)])
      expect(Object.keys((await post('open-house', bob.token, body)).body.error.fields)).toEqual(['body']);
    await block(world, alice, carol);
    const [blocked, closed, absent] = [
      await post('open-house', carol.token, 'Hi'),
      await post('own-house', carol.token, 'Hi'),
      await post('no-house', carol.token, 'Hi'),
    ];
    expect(absent.status).toBe(404);
    expect([blocked.body, closed.body]).toEqual([absent.body, absent.body]);
  });

  it('leaves no notification after a concurrent block', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'contested');
    for (let at = 0; at < 10; at++) {
      const [posted] = await Promise.all([
        world.call('POST /profiles/contested/comments', { token: bob.token, body: { body: `try ${at}` } }),
        world.call('POST /blocks', { token: alice.token, body: { user_id: bob.id } }),
      ]);
      const after = (await itemsOf(world, '/notifications', alice)).filter(
        ({ subject }: { subject: { id: string } }) => subject.id === tag.id,
      );
      // Blocking removes earlier notifications of comments; afterwards none can be created.
      expect([[201, 404].includes(posted.status), after]).toEqual([true, []]);
      await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
    }
  });
});

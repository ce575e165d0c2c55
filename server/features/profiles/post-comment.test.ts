import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comment } from '../../testing/commenting.ts';
import { block, itemsOf, createTag } from '../../testing/following.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/personas.ts';
import { restoreBeforeEach } from '../../testing/restore-world.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /profiles/{xtag}/comments', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const told = async (who: Persona) =>
    (await itemsOf(world, '/notifications', who)).map(({ kind, text }: { kind: string; text: string }) => [kind, text]);

  it('tells the owner and the named, once each, and nobody of their own', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'guestbook');
    const made = await comment(world, tag, bob, 'Hello @alice, @carol and @bob');
    expect(made).toMatchObject({ tag_id: tag.id, author: { id: bob.id }, body: 'Hello @alice, @carol and @bob' });
    expect(made.mentions.map(({ text }: { text: string }) => text).sort()).toEqual(['@alice', '@bob', '@carol']);
    expect(await told(alice)).toEqual([['comment', 'bob commented on *guestbook']]);
    expect(await told(carol)).toEqual([['mention', 'bob mentioned you']]);
    expect(await told(bob)).toEqual([]);
    const heard = { type: 'comment.posted', data: { comment: made } };
    for (const who of [alice, bob]) expect(await world.events(`user:${who.id}`)).toContainEqual(heard);
    await comment(world, tag, carol, 'Me too');
    await comment(world, tag, alice, 'Thanks');
    expect(await told(alice)).toEqual([['comment', '2 people commented on *guestbook']]);
  });

  it('is refused while comments are closed, except to the owner', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'quiet', { comments_open: false });
    const refused = await world.call('POST /profiles/quiet/comments', { token: bob.token, body: { body: 'Hi' } });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'comments_closed']);
    await comment(world, tag, alice, 'A notice');
    await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { comments_open: true } });
    await comment(world, tag, bob, 'Now');
  });

  it('refuses blank words, and a block or a private tag hides the profile', async () => {
    const { alice, bob, carol } = people;
    await createTag(world, alice, 'open-house');
    await createTag(world, alice, 'own-house', { visibility: 'private' });
    const say = (name: string, token: string, body: string) =>
      world.call(`POST /profiles/${name}/comments`, { token, body: { body } });
    for (const body of [' \n', '', 'x'.repeat(1001)])
      expect(Object.keys((await say('open-house', bob.token, body)).body.error.fields)).toEqual(['body']);
    await block(world, alice, carol);
    const [apart, closed, absent] = [
      await say('open-house', carol.token, 'Hi'),
      await say('own-house', carol.token, 'Hi'),
      await say('no-house', carol.token, 'Hi'),
    ];
    expect(absent.status).toBe(404);
    expect([apart.body, closed.body]).toEqual([absent.body, absent.body]);
  });

  it('never stands beside a block, whoever comes first', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'contested');
    for (let at = 0; at < 10; at++) {
      const [said] = await Promise.all([
        world.call('POST /profiles/contested/comments', { token: bob.token, body: { body: `try ${at}` } }),
        world.call('POST /blocks', { token: alice.token, body: { user_id: bob.id } }),
      ]);
      const after = (await itemsOf(world, '/notifications', alice)).filter(
        ({ subject }: { subject: { id: string } }) => subject.id === tag.id,
      );
      // What was told of a comment before the block went with the block; after it none could be told.
      expect([[201, 404].includes(said.status), after]).toEqual([true, []]);
      await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
    }
  });
});

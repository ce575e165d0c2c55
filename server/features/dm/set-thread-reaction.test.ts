import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAcceptedThread, eventsOf, openThread, sendMessage } from '../../testing/steps/messages.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /dm/threads/{thread_id}/chat/{message_id}/reaction', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const react = (message: { id: string; thread_id: string }, { token }: Persona, emoji: unknown) =>
    world.call(`PUT /dm/threads/${message.thread_id}/chat/${message.id}/reaction`, { token, body: { emoji } });

  it('stores one emoji per user, which replaces the previous one, and emits dm.message to both', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const message = await sendMessage(world, thread, alice, 'The pier at nine?');
    await react(message, bob, '👍🏽');
    await react(message, alice, '🌊');
    const { body } = await react(message, bob, '❤️');
    const both = [
      { emoji: '❤️', user_id: bob.id },
      { emoji: '🌊', user_id: alice.id },
    ];
    expect(body.reactions).toEqual(both);
    for (const who of [alice, bob]) {
      expect((await eventsOf(world, who, 'dm.message')).at(-1).message.reactions).toEqual(both);
      expect((await itemsOf(world, `/dm/threads/${thread.id}/chat`, who))[0].reactions).toEqual(both);
    }
    const event_count = (await eventsOf(world, alice, 'dm.message')).length;
    expect((await react(message, bob, '❤️')).body.reactions).toEqual(both);
    expect(await eventsOf(world, alice, 'dm.message')).toHaveLength(event_count);
    expect((await react(message, bob, null)).body.reactions).toEqual([both[1]]);
  });

  it('accepts a single emoji, in active threads, on messages that are not deleted', async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const message = await sendMessage(world, thread, alice, 'Look');
    for (const emoji of ['x', '👍👍', '👍 ', '<b>', '1', '', 5, '👩'.repeat(30)])
      expect([emoji, Object.keys((await react(message, bob, emoji)).body.error.fields)]).toEqual([emoji, ['emoji']]);
    for (const emoji of ['👩‍👩‍👧‍👦', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🇩🇪', '1️⃣']) expect((await react(message, bob, emoji)).status).toBe(200);
    expect((await react(message, carol, '👍')).status).toBe(404);
    const request_thread = await openThread(world, carol, bob);
    const request = await sendMessage(world, request_thread, carol, 'May I?');
    expect((await react(request, bob, '👍')).body.error.code).toBe('thread_pending');
    await world.call(`DELETE /dm/threads/${thread.id}/chat/${message.id}`, { token: alice.token });
    expect((await react(message, bob, '👍')).status).toBe(404);
    const [remaining] = await itemsOf(world, `/dm/threads/${thread.id}/chat`, alice);
    expect([remaining.id, remaining.reactions]).toEqual([message.id, []]);
    const other = await sendMessage(world, thread, alice, 'And this');
    await block(world, alice, bob);
    expect((await react(other, bob, '👍')).status).toBe(404);
  });

  it('is removed with the account of its author', async () => {
    const { alice, carol } = people;
    const thread = await openAcceptedThread(world, carol, alice);
    const message = await sendMessage(world, thread, alice, 'Goodbye');
    await react(message, carol, '👋');
    await world.call('DELETE /me', { token: carol.token, body: { password: carol.password } });
    await world.settle();
    const [remaining] = await itemsOf(world, `/dm/threads/${thread.id}/chat`, alice);
    expect(remaining.reactions).toEqual([]);
    const refused = await react(message, alice, '👋');
    expect([refused.status, refused.body.error.code]).toEqual([409, 'account_deleted']);
  });
});

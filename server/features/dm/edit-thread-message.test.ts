import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact } from '../../testing/steps/contacts.ts';
import {
  answerRequest,
  openAcceptedThread,
  eventsOf,
  openThread,
  sendMessage,
  readThread,
} from '../../testing/steps/messages.ts';
import { findPersonas, advanceSeconds, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /dm/threads/{thread_id}/chat/{message_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  const edit = (message: { id: string; thread_id: string }, { token }: Persona, body: string) =>
    world.call(`PATCH /dm/threads/${message.thread_id}/chat/${message.id}`, { token, body: { body } });

  it('changes the text and emits dm.message to both, without moving the thread or counting as unread', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const message = await sendMessage(world, thread, alice, 'Meet at nine');
    const last = await sendMessage(world, thread, bob, 'Fine');
    const edited = await edit(message, alice, 'Meet at ten');
    expect(edited.status).toBe(200);
    expect(edited.body).toMatchObject({ id: message.id, body: 'Meet at ten', edited_at: expect.any(String) });
    for (const who of [alice, bob])
      expect((await eventsOf(world, who, 'dm.message')).at(-1).message).toMatchObject({
        id: message.id,
        body: 'Meet at ten',
      });
    expect(await readThread(world, thread, bob)).toMatchObject({ last_message: { id: last.id }, unread_count: 0 });
    // Sending the same text again is not an edit.
    expect((await edit(message, alice, 'Meet at ten')).body.edited_at).toBe(edited.body.edited_at);
  });

  it('is allowed to the author only, within 15 minutes, and not after deletion', async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const message = await sendMessage(world, thread, alice, 'Mine');
    expect((await edit(message, bob, 'Ours')).body.error.code).toBe('forbidden');
    expect((await edit(message, carol, 'Ours')).status).toBe(404);
    expect((await edit({ ...message, id: `dm_${'0'.repeat(26)}` }, alice, 'Ours')).status).toBe(404);
    expect((await edit(message, alice, '')).body.error.fields).toHaveProperty('body');
    await advanceSeconds(world, 14 * 60 + 30);
    expect((await edit(message, alice, 'Just in time')).status).toBe(200);
    await advanceSeconds(world, 31);
    const late = await edit(message, alice, 'Too late');
    expect([late.status, late.body.error.code]).toEqual([409, 'edit_closed']);
    const gone = await sendMessage(world, thread, alice, 'Gone');
    await world.call(`DELETE /dm/threads/${thread.id}/chat/${gone.id}`, { token: alice.token });
    expect((await edit(gone, alice, 'Back')).status).toBe(404);
  });

  it('is not allowed for a message request', async () => {
    const { bob, carol } = people;
    const thread = await openThread(world, carol, bob);
    const request = await sendMessage(world, thread, carol, 'May I?');
    expect((await edit(request, carol, 'You owe me')).body.error.code).toBe('thread_pending');
    await answerRequest(world, thread, bob, 'accept');
    expect((await edit(request, carol, 'You owe me')).body.error.code).toBe('edit_closed');
    const answered = await sendMessage(world, thread, carol, 'Thank you');
    expect((await edit(answered, carol, 'Thanks')).status).toBe(200);
  });

  it('keeps the first and the latest 19 versions until the message is deleted', async () => {
    const { alice, carol } = people;
    await addContact(world, carol, { phones: [{ number: alice.mobile_number }] });
    const thread = await openThread(world, alice, carol);
    const message = await sendMessage(world, thread, alice, 'Word 0');
    for (let at = 1; at <= 25; at++) expect((await edit(message, alice, `Word ${at}`)).status).toBe(200);
    const path = `/dm/threads/${thread.id}/chat/${message.id}`;
    const { body } = await world.call(`GET ${path}/edits`, { token: carol.token });
    const versions = body.items.map((version: { body: string }) => version.body);
    expect(versions).toEqual(['Word 0', ...Array.from({ length: 19 }, (_, at) => `Word ${at + 6}`)]);
    await world.call(`DELETE ${path}`, { token: alice.token });
    const { rows } = await world.app.services.db.native.query('select 1 from dm_edits where message_id = $1', [
      message.id,
    ]);
    expect(rows).toEqual([]);
    await advanceSeconds(world, 31);
    await world.settle();
    const replayed = JSON.stringify(await world.events(`user:${carol.id}`));
    expect(replayed).not.toContain('Word ');
  });
});

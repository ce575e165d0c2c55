import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnCallMessage, readCallChat, sendCallMessage, startJoinedCall } from '../../testing/steps/call-chat.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /calls/{join_code}/chat/{message_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('changes the text and emits chat.edited; only the author may, for 15 minutes', async () => {
    const { alice, bob } = people;
    const call = await startJoinedCall(world, alice, bob);
    const message = await sendCallMessage(world, call, bob, 'At six');
    const edit = (who: { token: string }, body: string) =>
      actOnCallMessage(world, call, who, 'PATCH', message, { body: { body } });
    const { status, body } = await edit(bob, 'At seven');
    expect([status, body.body, body.edited_at]).toEqual([200, 'At seven', expect.any(String)]);
    expect((await readCallChat(world, call, alice))[0]).toMatchObject({ body: 'At seven', edited_at: body.edited_at });
    const event = (await world.events(`user:${alice.id}`)).at(-1);
    expect(event).toMatchObject({
      type: 'chat.edited',
      data: { join_code: call.join_code, message_id: message.id, body: 'At seven', edited_at: body.edited_at },
    });
    expect((await edit(alice, 'At eight')).body.error.code).toBe('forbidden');
    await world.clock.advance(15 * 60 + 1);
    expect((await edit(bob, 'At nine')).body.error.code).toBe('edit_closed');
  });

  it('accepts a reply to a message of the same call only', async () => {
    const { alice, bob, carol } = people;
    const call = await startJoinedCall(world, alice, bob);
    const question = await sendCallMessage(world, call, alice, 'Ready?');
    const reply = await sendCallMessage(world, call, bob, 'Yes', { reply_to: question.id });
    expect(reply.reply_to).toBe(question.id);
    const other = await startJoinedCall(world, carol);
    const foreign = await sendCallMessage(world, other, carol, 'Elsewhere');
    const refused = await world.call(`POST /calls/${call.join_code}/chat`, {
      token: bob.token,
      body: { body: 'Yes', reply_to: foreign.id },
    });
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, ['reply_to']]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendCallMessage, startJoinedCall, type TestCall } from '../../testing/steps/call-chat.ts';
import { sendGroupMessage, tryGroupMessage } from '../../testing/steps/group-chats.ts';
import { becomeGuest, createWidget, sendWidgetMessage, tryWidgetMessage } from '../../testing/steps/widgets.ts';
import { block } from '../../testing/steps/follows.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import { openAcceptedThread, sendMessage } from '../../testing/steps/messages.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('forwarding between chats', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const postInCall = ({ join_code }: TestCall, { token }: { token: string }, body: object) =>
    world.call(`POST /calls/${join_code}/chat`, { token, body });
  const postInThread = ({ id }: { id: string }, { token }: Persona, body: object) =>
    world.call(`POST /dm/threads/${id}/chat`, { token, body });
  const openFile = async ({ token }: { token: string }, file_id: string) =>
    (await world.call(`POST /files/${file_id}/stream-token`, { token, body: {} })).status;

  it('forwards text and file from each kind of chat to each other kind', slow, async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const group = await createGroup(world, alice, 'Band');
    await joinGroup(world, group, alice, carol);
    const widget = await createWidget(world, alice, 'shop');
    const gina = await becomeGuest(world, widget);
    const call = await startJoinedCall(world, alice, bob);
    const image = await uploadPicture(world, alice);
    const with_file = { file_id: image.id };
    const sources = [
      {
        thread_id: thread.id,
        message_id: (await sendMessage(world, thread, alice, 'All', { media: [image.id] })).id,
      },
      { group_id: group.id, message_id: (await sendGroupMessage(world, group, alice, 'All', with_file)).id },
      {
        conference_id: call.conference_id,
        message_id: (await sendCallMessage(world, call, alice, 'All', with_file)).id,
      },
      { widget_id: widget.id, message_id: (await sendWidgetMessage(world, widget, alice, 'All', with_file)).id },
    ];
    for (const forward of sources) {
      const sent = [
        await postInThread(thread, alice, { forward }),
        await tryGroupMessage(world, group, alice, undefined, { forward }),
        await postInCall(call, alice, { forward }),
        await world.call(`POST /widgets/${widget.id}/chat`, {
          token: alice.token,
          body: { forward, guest_id: gina.guest.id },
        }),
      ];
      for (const { status, body } of sent) {
        expect([status, body.error]).toEqual([201, undefined]);
        expect([body.body, body.forwarded, (body.file ?? body.media[0]).id]).toEqual(['All', true, image.id]);
      }
      const edited = await world.call(`PATCH /calls/${call.join_code}/chat/${sent[2]?.body.id}`, {
        token: alice.token,
        body: { body: 'Never' },
      });
      expect(edited.body.error.code).toBe('edit_closed');
    }
    for (const who of [bob, carol]) expect(await openFile(who, image.id)).toBe(200);
    await world.call('DELETE /calls/active', { token: alice.token });
    const late = { conference_id: call.conference_id, message_id: sources[2]?.message_id };
    expect((await postInThread(thread, bob, { forward: late })).status).toBe(201);
  });

  it('rejects unreadable, deleted or mismatched messages with 422, and forwards of guests', slow, async () => {
    const { alice, bob, carol } = people;
    const call = await startJoinedCall(world, alice, bob);
    const call_message = await sendCallMessage(world, call, bob, 'Among us');
    const call_of_carol = await startJoinedCall(world, carol);
    const widget = await createWidget(world, alice, 'shop');
    const gina = await becomeGuest(world, widget);
    const question = await sendWidgetMessage(world, widget, { token: gina.token }, 'Are you open?');
    const from_call = { conference_id: call.conference_id, message_id: call_message.id };
    const from_widget = { widget_id: widget.id, message_id: question.id };
    for (const forward of [from_call, from_widget]) {
      const { status, body } = await postInCall(call_of_carol, carol, { forward });
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['forward.message_id']]);
    }
    const mixed = await postInCall(call, alice, { forward: { ...from_call, widget_id: widget.id } });
    expect(Object.keys(mixed.body.error.fields)).toEqual(['forward.thread_id']);
    const elsewhere = { conference_id: call_of_carol.conference_id, message_id: call_message.id };
    expect((await postInCall(call, alice, { forward: elsewhere })).status).toBe(422);
    const with_body = await postInCall(call, alice, { forward: from_call, body: 'And words' });
    expect(Object.keys(with_body.body.error.fields)).toEqual(['body']);
    const by_guest = await tryWidgetMessage(world, widget, { token: gina.token }, 'x', { forward: from_widget });
    expect([by_guest.status, Object.keys(by_guest.body.error.fields)]).toEqual([422, ['forward']]);
    expect((await postInCall(call, alice, { forward: from_widget })).status).toBe(201);
    await world.call(`DELETE /calls/${call.join_code}/chat/${call_message.id}`, { token: bob.token });
    expect((await postInCall(call, alice, { forward: from_call })).status).toBe(422);
    const again = await sendCallMessage(world, call, bob, 'Once more');
    await world.call('DELETE /calls/active', { token: alice.token });
    await block(world, alice, bob);
    const group = await createGroup(world, alice, 'Mine');
    const blocked = { conference_id: call.conference_id, message_id: again.id };
    expect((await tryGroupMessage(world, group, alice, undefined, { forward: blocked })).status).toBe(422);
  });
});

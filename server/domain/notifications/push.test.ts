import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { combinePush } from '../../app/push.ts';
import { createWebPush, generateVapidKeys } from '../../engines/push/web.ts';
import { createOutboundAgent, isOutboundUrl } from '../../kernel/security/outbound.ts';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { terms } from '../calls/state/call-machine.ts';
import { startCall } from '../../testing/steps/calls.ts';
import { test_certificate } from '../../testing/providers/certificate.ts';
import { createSubscription, registerDevice } from '../../testing/steps/devices.ts';
import { becomeGuest, createWidget, sendWidgetMessage } from '../../testing/steps/widgets.ts';
import { sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { createGroup, joinGroup } from '../../testing/steps/groups.ts';
import { block, follow, createTag } from '../../testing/steps/follows.ts';
import {
  sessionClock,
  findPersonas,
  register,
  signInAgain,
  type Persona,
  type Personas,
} from '../../testing/world/personas.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import { openAcceptedThread, tryMessage } from '../../testing/steps/messages.ts';
import { postStatus, replyTo } from '../../testing/steps/statuses.ts';
import { decryptPush, startBrowserService } from '../../testing/providers/push-services.ts';
import { openSocket } from '../../testing/running/realtime-receivers.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { focusKey } from './push.ts';
import { pushRing } from '../calls/ringing.ts';
import { slow } from '../../../testing/slow-tests.ts';

/** Pushes from their cause to the browser that decrypts them, with everything in between as in production. */
describe('pushes', () => {
  const device = createSubscription('');
  let browser: Awaited<ReturnType<typeof startBrowserService>>;
  let world: World;
  let people: Personas;
  let port: number;
  beforeAll(async () => {
    browser = await startBrowserService({ '/gone': { status: 410 } });
    const isAllowed = (url: string) => isOutboundUrl(url, true);
    const agent = createOutboundAgent({ allow_loopback: true, ca: test_certificate });
    const keys = generateVapidKeys();
    const web = createWebPush({ ...keys, subject: 'mailto:operator@example.org', agent, isAllowed });
    world = await createWorld({ engines: { push: combinePush(new Map([['web', web]]), keys.public_key, isAllowed) } });
    port = await world.app.listen();
    people = findPersonas();
    // alice follows bob, so that the limits for strangers do not apply to his calls.
    await follow(world, await createTag(world, people.bob, 'bells'), people.alice);
    await registerDevice(world, people.alice, deviceAt('/alice'));
  });
  afterAll(async () => {
    await world.close();
    await browser.close();
  });
  beforeEach(async () => {
    await takePushes();
  });

  const deviceAt = (path: string) => ({
    platform: 'web',
    subscription: { ...device.subscription, endpoint: browser.url + path },
  });
  /** The pushes that have arrived since the last call, after all jobs have run. */
  const takePushes = async () => {
    await world.settle();
    return browser.requests.splice(0).map(({ path, headers, body }) => ({
      path,
      ttl: Number(headers['ttl']),
      urgency: headers['urgency'],
      topic: headers['topic'],
      payload: JSON.parse(decryptPush(body, device.keys, device.auth)),
    }));
  };
  const mention = (who: Persona, by: Persona) => postStatus(world, by, `Hello @${who.username}`);

  it('contain the kind, the text and the subject to open', async () => {
    const { alice, bob } = people;
    const status = await mention(alice, bob);
    const [push, ...others] = await takePushes();
    expect([push?.path, push?.urgency, push?.ttl, others]).toEqual(['/alice', 'normal', 86_400, []]);
    expect(push?.payload).toMatchObject({
      type: 'notification.created',
      kind: 'mention',
      title: 'bob',
      text: 'bob mentioned you',
      subject_type: 'status',
      subject_id: status.id,
    });
    expect(push?.payload.notification_id).toMatch(/^note_/);
  });

  it('name the message of a mention in a group whose chat is muted', async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, bob, 'Choir');
    await joinGroup(world, group, bob, alice);
    const body = { muted_until: '9999-12-31T23:59:59Z' };
    await world.call(`PATCH /groups/${group.id}/chat/settings`, { token: alice.token, body });
    await takePushes();
    const message = await sendGroupMessage(world, group, bob, 'Who sings, @alice?');
    const pushes = await takePushes();
    expect(pushes.map(({ payload }) => payload)).toMatchObject([
      {
        type: 'notification.created',
        kind: 'group_mention',
        title: 'bob',
        text: 'bob mentioned you in Choir',
        subject_type: 'group',
        subject_id: group.id,
        subject_name: 'Choir',
        message_id: message.id,
      },
    ]);
  });

  it('open the chat of a group for its messages', async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, bob, 'Choir');
    await joinGroup(world, group, bob, alice);
    await takePushes();
    await sendGroupMessage(world, group, bob, 'We sing at eight.');
    const [push] = await takePushes();
    expect(push?.payload).toMatchObject({ type: 'chat.message', subject_id: group.id });
    expect(push?.payload.url).toMatch(new RegExp(`/app/messages/group/${group.id}$`));
  });

  it('name the sender of a file without text, so that a device can translate the text', slow, async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const image = await uploadPicture(world, bob);
    await takePushes();
    const sendAndTakePushes = async (body?: string) => {
      await tryMessage(world, thread, bob, body, { media: [image.id] });
      return (await takePushes()).map(({ payload }) => payload);
    };
    expect(await sendAndTakePushes()).toMatchObject([
      { type: 'dm.message', text: 'Sent you a file', file_from: 'bob' },
    ]);
    const [with_text] = await sendAndTakePushes('With words');
    expect([with_text?.text, with_text?.file_from]).toEqual(['With words', undefined]);
  });

  it('ring with the remaining time of the ring, and not after the call was declined or has ended', async () => {
    const { alice, bob } = people;
    const call = await startCall(world, bob, [alice]);
    await world.clock.advance(5);
    const [ring, ...others] = await takePushes();
    expect(others).toEqual([]);
    expect(ring?.urgency).toBe('high');
    const passed_s = terms.ring_s - (ring?.ttl ?? 0);
    expect([passed_s >= 5, passed_s <= 7]).toEqual([true, true]);
    expect(ring?.payload).toMatchObject({
      type: 'call.ringing',
      text: 'bob is calling you',
      join_code: call.join_code,
      subject_type: 'call',
      subject_id: call.conference_id,
    });
    await world.call('DELETE /calls/active', { token: bob.token });
    const declined = await startCall(world, bob, [alice]);
    await world.call(`POST /calls/${declined.join_code}/decline`, { token: alice.token, body: {} });
    expect(await takePushes()).toEqual([]);
    await world.call('DELETE /calls/active', { token: bob.token });
    await startCall(world, bob, [alice]);
    await world.call('DELETE /calls/active', { token: bob.token });
    await startCall(world, bob, [alice]);
    await world.clock.advance(terms.ring_s + 1);
    expect(await takePushes()).toEqual([]);
    await world.call('DELETE /calls/active', { token: bob.token });
  });

  it('send call.settled once to the other devices that received the ring', slow, async () => {
    const { alice, bob } = people;
    const tablet = await signInAgain(world, alice);
    await registerDevice(world, tablet, deviceAt('/tablet'));
    const takeSummaries = async () =>
      (await takePushes())
        .map(({ path, payload: { type, state, title, text } }) => [path, type, state, title, text])
        .sort(([first = ''], [second = '']) => (first < second ? -1 : 1));
    const ring = async () => {
      const call = await startCall(world, bob, [alice]);
      expect((await takeSummaries()).map(([path, type]) => [path, type])).toEqual([
        ['/alice', 'call.ringing'],
        ['/tablet', 'call.ringing'],
      ]);
      return call.join_code;
    };
    const hangUp = () => world.call('DELETE /calls/active', { token: bob.token });

    const declined = await ring();
    await world.call(`POST /calls/${declined}/decline`, { token: alice.token, body: {} });
    expect(await takeSummaries()).toEqual([
      ['/tablet', 'call.settled', 'declined', 'bob', 'Declined on another device'],
    ]);
    await hangUp();
    expect(await takeSummaries()).toEqual([]);

    const answered = await ring();
    await world.call(`POST /calls/${answered}/sfu-grant`, { token: tablet.token, body: {} });
    expect(await takeSummaries()).toEqual([['/alice', 'call.settled', 'joining', 'bob', 'Answered on another device']]);
    await hangUp();
    expect(await takeSummaries()).toEqual([]);

    await ring();
    await hangUp();
    const missed = ['call.settled', 'no_answer', 'bob', 'You missed a call from bob'];
    expect(await takeSummaries()).toEqual([
      ['/alice', ...missed],
      ['/tablet', ...missed],
    ]);
    await world.call('DELETE /push-token', { token: tablet.token, body: {} });
  });

  it('send call.settled after a ring that was declined while its push was being sent', async () => {
    const { alice, bob } = people;
    const { join_code } = await startCall(world, bob, [alice]);
    const decline = () => world.call(`POST /calls/${join_code}/decline`, { token: alice.token, body: {} });
    const { push } = world.app.services;
    const { send } = push;
    // The call is declined before the push of the ring is sent.
    push.send = async (target, message) => {
      push.send = send;
      expect((await decline()).status).toBe(204);
      return send(target, message);
    };
    expect((await takePushes()).map(({ payload }) => payload.type)).toEqual(['call.ringing', 'call.settled']);
    await world.call('DELETE /calls/active', { token: bob.token });
  });

  it('are not sent for a ring that has timed out, even before the call is updated', async () => {
    const { alice, bob } = people;
    const { conference_id: call_id } = await startCall(world, bob, [alice]);
    const { services } = world.app;
    const { rows } = await services.db.native.query('select hash from push_tokens where user_id = $1', [alice.id]);
    const countRings = async () => {
      await pushRing.run({ call_id, hash: rows[0].hash, user_id: alice.id, push_id: 'out_1' }, services);
      return browser.requests.splice(0).length;
    };
    expect(await countRings()).toBe(1);
    await world.clock.advance(terms.ring_s + 1);
    expect(await countRings()).toBe(0);
    await world.call('DELETE /calls/active', { token: bob.token });
  });

  it('are not sent while the subject has the focus on another device', slow, async () => {
    const { alice, bob } = people;
    const tablet = await signInAgain(world, alice);
    const { body: grant } = await world.call('POST /realtime/grant', { token: tablet.token, body: {} });
    const { pathname } = new URL(grant.url);
    const { socket, closed } = await openSocket({ url: `ws://127.0.0.1:${port}${pathname}`, token: grant.token });
    const { bus } = world.app.services;
    const expectFocus = (expected: string) =>
      expect
        .poll(async () => (await bus.members(focusKey(alice.id))).map((member) => member.split(' ')[0]).join())
        .toBe(expected);
    const [focused, unfocused] = [await postStatus(world, alice, 'Seen'), await postStatus(world, alice, 'Other')];
    const sendFocus = (subject: unknown) => socket.send(JSON.stringify({ type: 'focus', subject }));
    // Invalid frames change nothing.
    for (const invalid of ['', '{', '[]', '{"type":"focus"}', '{"type":"focus","subject":{"type":"a b","id":""}}'])
      socket.send(invalid);
    sendFocus({ type: 'status', id: unfocused.id });
    sendFocus({ type: 'status', id: focused.id });
    await expectFocus(`status:${focused.id}`);
    await replyTo(world, focused, bob, 'You see this');
    expect(await takePushes()).toEqual([]);
    await replyTo(world, unfocused, bob, 'And not this');
    expect((await takePushes()).map(({ payload }) => payload.subject_id)).toEqual([unfocused.id]);
    sendFocus(null);
    await expectFocus('');
    await replyTo(world, focused, bob, 'Now you do not');
    expect(await takePushes()).toHaveLength(1);
    sendFocus({ type: 'status', id: focused.id });
    await expectFocus(`status:${focused.id}`);
    socket.close();
    await closed;
    await expectFocus('');
  });

  it('contain no title and text when push_text is off', async () => {
    const { alice, bob } = people;
    await world.call('PATCH /me', { token: alice.token, body: { push_text: false } });
    await mention(alice, bob);
    await startCall(world, bob, [alice]);
    const pushes = await takePushes();
    expect(pushes).toHaveLength(2);
    for (const { payload } of pushes) {
      expect([payload.title, payload.text]).toEqual([undefined, undefined]);
      expect(JSON.stringify(payload)).not.toContain('bob');
    }
    await world.call('DELETE /calls/active', { token: bob.token });
    await world.call('PATCH /me', { token: alice.token, body: { push_text: true } });
  });

  it('remove a device that its push service reports as gone', async () => {
    const { alice, bob, carol } = people;
    await registerDevice(world, carol, deviceAt('/gone'));
    await mention(carol, bob);
    expect(await takePushes()).toHaveLength(1);
    await mention(carol, alice);
    expect(await takePushes()).toEqual([]);
  });

  it('are limited to twelve for the messages of one widget guest', slow, async () => {
    const widget = await createWidget(world, people.alice, 'counter');
    await startBudgetWindow(sessionClock(world));
    const [gina, hugo] = [await becomeGuest(world, widget), await becomeGuest(world, widget, 'Hugo')];
    await takePushes();
    const countPushesFor = async (who: { token: string }) => {
      await sendWidgetMessage(world, widget, who, 'Hello?');
      return (await takePushes()).length;
    };
    const push_counts = [];
    for (let at = 0; at < 15; at++) push_counts.push(await countPushesFor(gina));
    expect(push_counts).toEqual([...Array<number>(12).fill(1), 0, 0, 0]);
    expect(await countPushesFor(hugo)).toBe(1);
  });

  it('are not sent after a block, a suspension, or the end of a session or an account', slow, async () => {
    const { bob } = people;
    const zoe = await register(world, 'zoe', 91);
    await registerDevice(world, zoe, deviceAt('/zoe'));
    const { db } = world.app.services;
    await startCall(world, bob, [zoe]);
    await mention(zoe, bob);
    await block(world, zoe, bob);
    expect(await takePushes()).toEqual([]);
    await world.call('DELETE /calls/active', { token: bob.token });
    // A ring that is already shown is dismissed without naming the caller.
    await startCall(world, people.carol, [zoe]);
    expect((await takePushes()).map(({ payload }) => payload.title)).toEqual(['carol']);
    await block(world, people.carol, zoe);
    const [over, ...others] = await takePushes();
    expect([over?.payload.type, over?.payload.title, over?.payload.text, others]).toEqual([
      'call.settled',
      undefined,
      undefined,
      [],
    ]);
    await world.call('DELETE /calls/active', { token: people.carol.token });
    expect((await world.call(`DELETE /blocks/${zoe.id}`, { token: people.carol.token })).status).toBe(204);
    for (const [ends, undo] of [
      ['update users set suspended_at = now() where id = $1', 'update users set suspended_at = null where id = $1'],
      [
        'update sessions set revoked_at = now() where user_id = $1',
        'update sessions set revoked_at = null where user_id = $1',
      ],
    ] as const) {
      await mention(zoe, people.carol);
      await db.native.query(ends, [zoe.id]);
      expect(await takePushes()).toEqual([]);
      await db.native.query(undo, [zoe.id]);
    }
    await mention(zoe, people.carol);
    expect(await takePushes()).toHaveLength(1);
    await mention(zoe, people.carol);
    await world.call('DELETE /me', { token: zoe.token, body: { password: zoe.password } });
    expect(await takePushes()).toEqual([]);
  });
});

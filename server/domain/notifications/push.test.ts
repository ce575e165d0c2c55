import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { joinPush } from '../../app/push.ts';
import { createWebPush, makeVapidKeys } from '../../engines/push/web.ts';
import { createOutboundAgent, isOutboundUrl } from '../../kernel/security/outbound.ts';
import { startBudgetWindow } from '../../testing/budget-windows.ts';
import { startCall } from '../../testing/calling.ts';
import { test_certificate } from '../../testing/certificate.ts';
import { createSubscription, registerDevice } from '../../testing/devices.ts';
import { becomeGuest, createWidget, sendWidgetMessage } from '../../testing/embedding.ts';
import { block, follow, createTag } from '../../testing/following.ts';
import {
  sessionClock,
  findPersonas,
  register,
  signInAgain,
  type Persona,
  type Personas,
} from '../../testing/personas.ts';
import { uploadPicture } from '../../testing/media.ts';
import { openAcceptedThread, tryMessage } from '../../testing/messaging.ts';
import { postStatus, replyTo } from '../../testing/posting.ts';
import { decryptPush, startBrowserService } from '../../testing/push-services.ts';
import { openSocket } from '../../testing/realtime-receivers.ts';
import { createWorld, type World } from '../../testing/world.ts';
import { focusKey } from './push.ts';
import { pushRing } from '../calls/ringing.ts';

/** From the cause to the browser that reads it, with all between as it is in production. */
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
    const keys = makeVapidKeys();
    const web = createWebPush({ ...keys, subject: 'mailto:operator@example.org', agent, isAllowed });
    world = await createWorld({ engines: { push: joinPush(new Map([['web', web]]), keys.public_key, isAllowed) } });
    port = await world.app.listen();
    people = findPersonas();
    // Who follows bob is rung by him without the limit that strangers have.
    await follow(world, await createTag(world, people.bob, 'bells'), people.alice);
    await registerDevice(world, people.alice, deviceAt('/alice'));
  });
  afterAll(async () => {
    await world.close();
    await browser.close();
  });
  beforeEach(async () => {
    await pushed();
  });

  const deviceAt = (path: string) => ({
    platform: 'web',
    subscription: { ...device.subscription, endpoint: browser.url + path },
  });
  /** What has arrived since the last look, after all jobs have run. */
  const pushed = async () => {
    await world.settle();
    return browser.asked.splice(0).map(({ path, headers, body }) => ({
      path,
      ttl: Number(headers['ttl']),
      urgency: headers['urgency'],
      topic: headers['topic'],
      payload: JSON.parse(decryptPush(body, device.keys, device.auth)),
    }));
  };
  const mention = (who: Persona, by: Persona) => postStatus(world, by, `Hello @${who.username}`);

  it('tell what happened, and what to open', async () => {
    const { alice, bob } = people;
    const status = await mention(alice, bob);
    const [push, ...others] = await pushed();
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

  it('say of a file alone whose it is, so that a device can say it in its language', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const picture = await uploadPicture(world, bob);
    await pushed();
    const tell = async (body?: string) => {
      await tryMessage(world, thread, bob, body, { media: [picture.id] });
      return (await pushed()).map(({ payload }) => payload);
    };
    expect(await tell()).toMatchObject([{ type: 'dm.message', text: 'Sent you a file', file_from: 'bob' }]);
    const [words] = await tell('With words');
    expect([words?.text, words?.file_from]).toEqual(['With words', undefined]);
  });

  it('ring for as long as the call does, and not once it is answered or over', async () => {
    const { alice, bob } = people;
    const call = await startCall(world, bob, [alice]);
    await world.clock.advance(5);
    const [ring, ...others] = await pushed();
    expect(others).toEqual([]);
    expect([ring?.urgency, (ring?.ttl ?? 0) >= 38, (ring?.ttl ?? 99) <= 40]).toEqual(['high', true, true]);
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
    expect(await pushed()).toEqual([]);
    await world.call('DELETE /calls/active', { token: bob.token });
    await startCall(world, bob, [alice]);
    await world.call('DELETE /calls/active', { token: bob.token });
    await startCall(world, bob, [alice]);
    await world.clock.advance(46);
    expect(await pushed()).toEqual([]);
    await world.call('DELETE /calls/active', { token: bob.token });
  });

  it('say once to the other devices what became of a ring that they were told of', async () => {
    const { alice, bob } = people;
    const tablet = await signInAgain(world, alice);
    await registerDevice(world, tablet, deviceAt('/tablet'));
    const told = async () =>
      (await pushed())
        .map(({ path, payload: { type, state, title, text } }) => [path, type, state, title, text])
        .sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
    const ring = async () => {
      const call = await startCall(world, bob, [alice]);
      expect((await told()).map(([path, type]) => [path, type])).toEqual([
        ['/alice', 'call.ringing'],
        ['/tablet', 'call.ringing'],
      ]);
      return call.join_code;
    };
    const hangUp = () => world.call('DELETE /calls/active', { token: bob.token });

    const declined = await ring();
    await world.call(`POST /calls/${declined}/decline`, { token: alice.token, body: {} });
    expect(await told()).toEqual([['/tablet', 'call.settled', 'declined', 'bob', 'Declined on another device']]);
    await hangUp();
    expect(await told()).toEqual([]);

    const answered = await ring();
    await world.call(`POST /calls/${answered}/sfu-grant`, { token: tablet.token, body: {} });
    expect(await told()).toEqual([['/alice', 'call.settled', 'joining', 'bob', 'Answered on another device']]);
    await hangUp();
    expect(await told()).toEqual([]);

    await ring();
    await hangUp();
    const missed = ['call.settled', 'no_answer', 'bob', 'You missed a call from bob'];
    expect(await told()).toEqual([
      ['/alice', ...missed],
      ['/tablet', ...missed],
    ]);
    await world.call('DELETE /push-token', { token: tablet.token, body: {} });
  });

  it('take back a ring that was still on its way when it ended', async () => {
    const { alice, bob } = people;
    const { join_code } = await startCall(world, bob, [alice]);
    const decline = () => world.call(`POST /calls/${join_code}/decline`, { token: alice.token, body: {} });
    const { push } = world.app.services;
    const { send } = push;
    // The word that it is over is gone before the ring has left.
    push.send = async (target, message) => {
      push.send = send;
      expect((await decline()).status).toBe(204);
      return send(target, message);
    };
    expect((await pushed()).map(({ payload }) => payload.type)).toEqual(['call.ringing', 'call.settled']);
    await world.call('DELETE /calls/active', { token: bob.token });
  });

  it('are not sent of a ring whose time is over, also where nobody has said so yet', async () => {
    const { alice, bob } = people;
    const { conference_id: call_id } = await startCall(world, bob, [alice]);
    const { services } = world.app;
    const { rows } = await services.db.native.query('select hash from push_tokens where user_id = $1', [alice.id]);
    const told = async () => {
      await pushRing.run({ call_id, hash: rows[0].hash, user_id: alice.id, push_id: 'out_1' }, services);
      return browser.asked.splice(0).length;
    };
    expect(await told()).toBe(1);
    await world.clock.advance(46);
    expect(await told()).toBe(0);
    await world.call('DELETE /calls/active', { token: bob.token });
  });

  it('are quiet while their owner looks at the thing on another device', async () => {
    const { alice, bob } = people;
    const tablet = await signInAgain(world, alice);
    const { body: grant } = await world.call('POST /realtime/grant', { token: tablet.token, body: {} });
    const { pathname } = new URL(grant.url);
    const { socket, closed } = await openSocket({ url: `ws://127.0.0.1:${port}${pathname}`, token: grant.token });
    const { bus } = world.app.services;
    const looks = (wanted: string) =>
      expect
        .poll(async () => (await bus.members(focusKey(alice.id))).map((one) => one.split(' ')[0]).join())
        .toBe(wanted);
    const [seen, other] = [await postStatus(world, alice, 'Seen'), await postStatus(world, alice, 'Other')];
    const say = (subject: unknown) => socket.send(JSON.stringify({ type: 'focus', subject }));
    // What is no such frame changes nothing.
    for (const odd of ['', '{', '[]', '{"type":"focus"}', '{"type":"focus","subject":{"type":"a b","id":""}}'])
      socket.send(odd);
    say({ type: 'status', id: other.id });
    say({ type: 'status', id: seen.id });
    await looks(`status:${seen.id}`);
    await replyTo(world, seen, bob, 'You see this');
    expect(await pushed()).toEqual([]);
    await replyTo(world, other, bob, 'And not this');
    expect((await pushed()).map(({ payload }) => payload.subject_id)).toEqual([other.id]);
    say(null);
    await looks('');
    await replyTo(world, seen, bob, 'Now you do not');
    expect(await pushed()).toHaveLength(1);
    say({ type: 'status', id: seen.id });
    await looks(`status:${seen.id}`);
    socket.close();
    await closed;
    await looks('');
  });

  it('say nothing to those who do not want it said', async () => {
    const { alice, bob } = people;
    await world.call('PATCH /me', { token: alice.token, body: { push_text: false } });
    await mention(alice, bob);
    await startCall(world, bob, [alice]);
    const told = await pushed();
    expect(told).toHaveLength(2);
    for (const { payload } of told) {
      expect([payload.title, payload.text]).toEqual([undefined, undefined]);
      expect(JSON.stringify(payload)).not.toContain('bob');
    }
    await world.call('DELETE /calls/active', { token: bob.token });
    await world.call('PATCH /me', { token: alice.token, body: { push_text: true } });
  });

  it('forget a device that its push service no longer knows', async () => {
    const { alice, bob, carol } = people;
    await registerDevice(world, carol, deviceAt('/gone'));
    await mention(carol, bob);
    expect(await pushed()).toHaveLength(1);
    await mention(carol, alice);
    expect(await pushed()).toEqual([]);
  });

  it('are not sent without end for what the guests of a widget write', async () => {
    const widget = await createWidget(world, people.alice, 'counter');
    await startBudgetWindow(sessionClock(world));
    const [gina, hugo] = [await becomeGuest(world, widget), await becomeGuest(world, widget, 'Hugo')];
    await pushed();
    const wokenBy = async (who: { token: string }) => {
      await sendWidgetMessage(world, widget, who, 'Hello?');
      return (await pushed()).length;
    };
    const woken = [];
    for (let at = 0; at < 15; at++) woken.push(await wokenBy(gina));
    expect(woken).toEqual([...Array<number>(12).fill(1), 0, 0, 0]);
    expect(await wokenBy(hugo)).toBe(1);
  });

  it('do not leave after a block, a suspension, the end of a session or of the account', async () => {
    const { bob } = people;
    const zoe = await register(world, 'zoe', 91);
    await registerDevice(world, zoe, deviceAt('/zoe'));
    const { db } = world.app.services;
    await startCall(world, bob, [zoe]);
    await mention(zoe, bob);
    await block(world, zoe, bob);
    expect(await pushed()).toEqual([]);
    await world.call('DELETE /calls/active', { token: bob.token });
    // A ring that is shown already is taken back without a word of who it was.
    await startCall(world, people.carol, [zoe]);
    expect((await pushed()).map(({ payload }) => payload.title)).toEqual(['carol']);
    await block(world, people.carol, zoe);
    const [over, ...others] = await pushed();
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
      expect(await pushed()).toEqual([]);
      await db.native.query(undo, [zoe.id]);
    }
    await mention(zoe, people.carol);
    expect(await pushed()).toHaveLength(1);
    await mention(zoe, people.carol);
    await world.call('DELETE /me', { token: zoe.token, body: { password: zoe.password } });
    expect(await pushed()).toEqual([]);
  });
});

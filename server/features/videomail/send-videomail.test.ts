import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, inboxOf, startCall, timeOutRings } from '../../testing/steps/calls.ts';
import { block, follow, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, password, type Persona, type Personas } from '../../testing/world/personas.ts';
import { video_mp4, tone_mp3, tone_opus } from '../../testing/samples/recordings.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /videomail/{handle}', () => {
  let world: World;
  let people: Personas;
  let transcript: string | undefined;
  beforeAll(async () => {
    const speech = {
      transcribe: (bytes: Uint8Array) =>
        Promise.resolve(transcript && bytes.length > 0 ? { text: transcript } : undefined),
      close: () => Promise.resolve(),
    };
    world = await createWorld({ engines: { speech } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);
  afterEach(() => {
    transcript = undefined;
  });

  const send = ({ token }: Persona, handle: string, bytes: Buffer, fields: Record<string, string> = {}) =>
    world.call(`POST /videomail/${handle}`, { token, ...multipart(bytes, 'message', 'video/mp4', fields) });

  it('delivers audio and video by tag or username to the inbox, for sender and recipient only', slow, async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, bob, 'bobs-tag');
    await follow(world, await createTag(world, alice, 'alices-tag'), bob);
    const sent = await send(alice, 'bobs-tag', video_mp4, { body: 'look' });
    expect([sent.status, sent.body]).toMatchObject([201, { kind: 'videomail', to: { username: 'bob' } }]);
    expect((await send(alice, 'BOB', tone_opus)).body.kind).toBe('voicemail');
    const [voice, video] = await inboxOf(world, bob);
    expect(video).toMatchObject({
      id: sent.body.id,
      kind: 'videomail',
      body: 'look',
      read: false,
      from: { name: 'alice' },
    });
    expect(voice).toMatchObject({ kind: 'voicemail', transcript: null, file: { kind: 'audio' } });
    const streamed = await world.app.http.inject({ method: 'GET', url: voice.file.stream_url });
    expect(streamed.statusCode).toBe(200);
    const open = ({ token }: Persona) => world.call(`POST /files/${voice.file.id}/stream-token`, { token, body: {} });
    expect([(await open(bob)).status, (await open(alice)).status, (await open(carol)).status]).toEqual([200, 200, 404]);
    expect(tag.name).toBe('bobs-tag');
  });

  it('adds the transcript after delivery, and emits inbox.message again', slow, async () => {
    const { alice, bob } = people;
    transcript = ' call me back ';
    const { body } = await send(alice, 'bob', tone_mp3);
    const transcripts = async () =>
      (await world.events(`user:${bob.id}`)).flatMap(({ type, data }) =>
        type === 'inbox.message' && data.message.id === body.id ? [data.message.transcript] : [],
      );
    expect(await transcripts()).toEqual([null]);
    expect((await inboxOf(world, bob))[0].transcript).toBe('call me back');
    expect(await transcripts()).toEqual([null, 'call me back']);
  });

  it('replaces the missed call of the same call in the inbox', slow, async () => {
    const { alice, bob } = people;
    const call = await startCall(world, alice, [bob]);
    await timeOutRings(world);
    expect((await inboxOf(world, bob)).map((item: { kind: string }) => item.kind)).toEqual(['missed_call']);
    await send(alice, 'bob', tone_opus, { conference_id: call.conference_id });
    const items = await inboxOf(world, bob);
    expect(items).toMatchObject([{ kind: 'voicemail', conference_id: call.conference_id }]);
    // The call of another user cannot be replaced.
    await send(people.carol, 'bob', tone_opus, { conference_id: call.conference_id });
    expect((await inboxOf(world, bob)).map((item: { conference_id: string }) => item.conference_id)).toEqual([
      null,
      call.conference_id,
    ]);
  });

  it('has no transcript above the budget of its sender, and is delivered nevertheless', slow, async () => {
    const { alice, bob } = people;
    transcript = 'call me back';
    await world.app.services.throttle.consume('transcript', alice.id, 1800);
    expect((await send(alice, 'bob', tone_mp3)).status).toBe(201);
    await world.settle();
    expect(await inboxOf(world, bob)).toMatchObject([{ kind: 'voicemail', transcript: null }]);
  });

  it('is kept when the same call is missed again, and replaces an earlier message with its file', async () => {
    const { alice, bob } = people;
    const { native } = world.app.services.db;
    await follow(world, await createTag(world, alice, 'alices-tag'), bob);
    const call = await startCall(world, alice, [bob]);
    await connectMedia(world, call.conference_id, alice);
    await timeOutRings(world);
    const leave = () => send(alice, 'bob', tone_opus, { conference_id: call.conference_id });
    await leave();
    const [first] = await inboxOf(world, bob);
    await leave();
    const [second, ...more] = await inboxOf(world, bob);
    expect([second.kind, second.id === first.id, more]).toEqual(['voicemail', false, []]);
    const { rows } = await native.query('select unused_since from files where id = $1', [first.file.id]);
    expect(rows[0].unused_since).not.toBeNull();
    const to = [{ user_id: bob.id }];
    await world.call('POST /calls/active/participants', { token: alice.token, body: { to } });
    await timeOutRings(world);
    expect((await inboxOf(world, bob)).map((item: { id: string }) => item.id)).toEqual([second.id]);
  });

  it('accepts one message from a stranger after a missed call, until the recipient replies', async () => {
    const { bob, carol } = people;
    const call = await startCall(world, carol, [bob]);
    await timeOutRings(world);
    await world.call('DELETE /calls/active', { token: carol.token });
    const leave = async () => {
      const { status, body } = await send(carol, 'bob', tone_opus, { conference_id: call.conference_id });
      return [status, body.error?.code];
    };
    expect([await leave(), await leave()]).toEqual([
      [201, undefined],
      [409, 'thread_pending'],
    ]);
  });

  it('accepts one message from a stranger until a reply; respects reach and blocks', async () => {
    const { alice, bob, carol } = people;
    expect((await send(bob, 'carol', tone_opus)).status).toBe(201);
    const second = await send(bob, 'carol', tone_opus);
    expect([second.status, second.body.error.code]).toEqual([409, 'thread_pending']);
    const [message] = await inboxOf(world, carol);
    await world.call(`PATCH /inbox/${message.id}`, { token: carol.token, body: { read: true } });
    expect((await send(bob, 'carol', tone_opus)).status).toBe(409);
    await world.call(`DELETE /inbox/${message.id}`, { token: carol.token });
    expect((await send(bob, 'carol', tone_opus)).status).toBe(409);
    await world.clock.advance(1);
    expect((await send(carol, 'bob', tone_opus)).status).toBe(201);
    expect((await send(bob, 'carol', tone_opus)).status).toBe(201);
    await world.call('PATCH /me', { token: carol.token, body: { reach: { message: 'none' } } });
    expect((await send(alice, 'carol', tone_opus)).status).toBe(403);
    await block(world, carol, alice);
    const absent = await send(alice, 'nobody-at-all', tone_opus);
    const hidden = await send(alice, 'carol', tone_opus);
    expect([hidden.status, hidden.body.error.code, hidden.body.error.message]).toEqual([
      404,
      absent.body.error.code,
      absent.body.error.message,
    ]);
  });

  it('rejects files that cannot be played, and stores nothing', async () => {
    const { alice } = people;
    const before = await world.app.services.db.native.query('select count(*) from files');
    const image = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    for (const bytes of [Buffer.from('hello'), image]) {
      const { status, body } = await send(alice, 'bob', bytes);
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['file']]);
    }
    expect((await send(alice, 'alice', tone_opus)).body.error.code).toBe('self_not_allowed');
    expect(await world.app.services.db.native.query('select count(*) from files')).toMatchObject({ rows: before.rows });
  });

  it('remains when the sender deletes their account, shown as from a deleted user', async () => {
    const { bob, uma } = people;
    await world.app.services.db.native.query('update users set mobile_verified = true where id = $1', [uma.id]);
    expect((await send(uma, 'bob', tone_opus)).status).toBe(201);
    expect((await world.call('DELETE /me', { token: uma.token, body: { password } })).status).toBe(204);
    const [message] = await inboxOf(world, bob);
    expect(message.from).toEqual({ user: null, number: null, name: 'Deleted user' });
    const german = { token: bob.token, headers: { 'accept-language': 'de' } };
    expect((await world.call('GET /inbox', german)).body.items[0].from.name).toBe('Gelöschter Nutzer');
    const marked = await world.call(`PATCH /inbox/${message.id}`, { ...german, body: { read: true } });
    expect(marked.body.from.name).toBe('Gelöschter Nutzer');
    const streamed = await world.app.http.inject({ method: 'GET', url: message.file.stream_url });
    expect(streamed.statusCode).toBe(200);
  });
});

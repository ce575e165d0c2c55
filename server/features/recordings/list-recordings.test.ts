import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VideoComposition } from '../../engines/ports.ts';
import { connectMedia, requestGrants, advanceTime } from '../../testing/steps/calls.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, password, type Personas } from '../../testing/world/personas.ts';
import {
  startRecording,
  startRecordableCall,
  stopRecording,
  createVideo,
  createTrack,
  fakeRecorder,
} from '../../testing/samples/recording.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('GET /recordings', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('marks default names, so that clients can translate them', slow, async () => {
    const { alice, bob } = people;
    await startRecordableCall(world, alice, bob);
    const bridged = await world.call('POST /calls/active/bridge-phone', {
      token: alice.token,
      body: { number: '+4930123456' },
    });
    expect(bridged.status).toBe(201);
    const phone = bridged.body.participants.find((participant: { user: unknown }) => !participant.user);
    fakeRecorder(world).tracks = [
      createTrack('alice', [[0, 5000]], alice.id),
      createTrack('Phone', [[6000, 19_000]], phone.id),
    ];
    await stopRecording(world, alice, await startRecording(world, alice));
    const [recording] = await itemsOf(world, '/recordings', alice);
    expect(recording.chapters).toEqual([
      { at_s: 0, name: 'alice' },
      { at_s: 6, name: 'Phone', name_is_default: true },
    ]);
    expect(
      recording.tracks.map(({ name, name_is_default }: Record<string, unknown>) => [name, name_is_default]),
    ).toEqual([
      ['alice', undefined],
      ['Phone', true],
    ]);
  });

  it('names the phone of a participant as the participant', slow, async () => {
    const { alice, bob } = people;
    const { join_code } = await startRecordableCall(world, alice, bob);
    const { body } = await world.call(`POST /calls/${join_code}/call-me`, { token: bob.token, body: {} });
    fakeRecorder(world).tracks = [createTrack('a-phone', [[0, 5000]], body.participants[1].id)];
    await stopRecording(world, alice, await startRecording(world, alice));
    const [recording] = await itemsOf(world, '/recordings', alice);
    expect(recording.tracks.map(({ name }: { name: string }) => name)).toEqual(['bob']);
  });

  it('lists those of one call, however many others are newer', slow, async () => {
    const { alice, bob, carol } = people;
    const ids: string[] = [];
    const calls: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { conference_id } = await startRecordableCall(world, alice, bob);
      fakeRecorder(world).tracks = [createTrack('alice', [[0, 5000]], alice.id)];
      const id = await startRecording(world, alice);
      await stopRecording(world, alice, id);
      await world.call('DELETE /calls/active', { token: alice.token });
      ids.push(id);
      calls.push(conference_id);
    }
    const list = async (by: typeof alice, query: string) =>
      (await itemsOf(world, `/recordings?${query}`, by)).map(({ id }: { id: string }) => id);
    expect(await list(alice, 'limit=1')).toEqual([ids[1]]);
    expect(await list(alice, `limit=1&conference_id=${calls[0]}`)).toEqual([ids[0]]);
    expect(await list(bob, `conference_id=${calls[1]}`)).toEqual([ids[1]]);
    expect(await list(carol, `conference_id=${calls[0]}`)).toEqual([]);
  });

  it('lists a recording with chapters for those who were in the call while it ran', slow, async () => {
    const { alice, bob, carol } = people;
    fakeRecorder(world).tracks = [
      createTrack('alice', [
        [0, 5000],
        [20_000, 21_000],
      ]),
      createTrack('bob', [[6000, 19_000]]),
      createTrack('alice', [[30_000, 40_000]]),
    ];
    const call = await startRecordableCall(world, alice, bob);
    const id = await startRecording(world, alice);
    await stopRecording(world, alice, id);
    // A user who joins after the recording ended cannot access it.
    await world.call('PATCH /calls/active', { token: alice.token, body: { privacy: 'public' } });
    await world.clock.advance(5);
    await requestGrants(world, call.join_code, carol);
    await connectMedia(world, call.conference_id, alice, bob, carol);
    const [mine] = await itemsOf(world, '/recordings', alice);
    expect(mine).toMatchObject({ id, conference_id: call.conference_id, state: 'ready', by: { username: 'alice' } });
    expect(mine.chapters).toEqual([
      { at_s: 0, name: 'alice' },
      { at_s: 6, name: 'bob' },
      { at_s: 30, name: 'alice' },
    ]);
    // Without a transcoder, there is one file per track.
    expect(mine.tracks.map((track: { name: string }) => track.name)).toEqual(['alice', 'bob', 'alice']);
    const audio = await world.app.http.inject({ method: 'GET', url: new URL(mine.tracks[1].file.stream_url).href });
    expect([audio.statusCode, audio.headers['content-type'], audio.body]).toEqual([
      200,
      'audio/ogg',
      'OggS sound of bob',
    ]);
    const range = await world.app.http.inject({
      method: 'GET',
      url: mine.tracks[1].file.stream_url,
      headers: { range: 'bytes=0-3' },
    });
    expect([range.statusCode, range.body]).toEqual([206, 'OggS']);
    expect(await itemsOf(world, '/recordings', bob)).toMatchObject([{ id }]);
    expect(await itemsOf(world, '/recordings', carol)).toEqual([]);
    const open = (token: string) =>
      world
        .call(`POST /files/${mine.tracks[0].file.id}/stream-token`, { token, body: {} })
        .then(({ status }) => status);
    expect([await open(bob.token), await open(carol.token)]).toEqual([200, 404]);
    await block(world, bob, alice);
    expect([await itemsOf(world, '/recordings', bob), await open(bob.token)]).toEqual([[], 404]);
    expect(await itemsOf(world, '/recordings', alice)).toHaveLength(1);
    await world.call(`DELETE /blocks/${alice.id}`, { token: bob.token });
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('replaces the name of a deleted account with "deleted user"', slow, async () => {
    const { alice, bob } = people;
    fakeRecorder(world).tracks = [
      createTrack('alice', [[0, 5000]], alice.id),
      createTrack('bob', [[6000, 19_000]], bob.id),
    ];
    await startRecordableCall(world, alice, bob);
    await stopRecording(world, alice, await startRecording(world, alice));
    await world.call('DELETE /calls/active', { token: alice.token });
    expect((await world.call('DELETE /me', { token: bob.token, body: { password } })).status).toBe(204);
    await world.settle();
    const [recording] = await itemsOf(world, '/recordings', alice);
    const namesOf = (parts: { name: string }[]) => parts.map(({ name }) => name);
    expect([namesOf(recording.chapters), namesOf(recording.tracks)]).toEqual([
      ['alice', 'deleted user'],
      ['alice', 'deleted user'],
    ]);
  });

  it('recovers the recording of a killed process, and continues recording a call that continues', slow, async () => {
    const { alice, bob } = people;
    const recorder = fakeRecorder(world);
    recorder.tracks = [createTrack('alice', [])];
    const call = await startRecordableCall(world, alice, bob);
    const id = await startRecording(world, alice);
    const leftover = {
      recording_id: id,
      room: call.conference_id,
      started_at: world.clock.now(),
      duration_ms: 9000,
      tracks: recorder.tracks,
      videos: [],
    };
    recorder.left = [leftover];
    const { recoverRecordings } = await import('../../domain/calls/recording/record-call.ts');
    await recoverRecordings(world.app.services);
    expect((await itemsOf(world, '/recordings', alice))[0]).toMatchObject({ state: 'announced' });
    expect((await itemsOf(world, '/recordings', alice))[1]).toMatchObject({ id, state: 'ready', duration_s: 9 });
    await world.clock.advance(4);
    await world.settle();
    expect((await world.call('GET /calls/active', { token: bob.token })).body.recording.state).toBe('recording');
    // Repeating the recovery changes nothing.
    recorder.left = [leftover];
    await recoverRecordings(world.app.services);
    expect(await itemsOf(world, '/recordings', alice)).toHaveLength(2);
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('recovers all recordings of a killed process, although one of them cannot be stored', slow, async () => {
    const { alice, bob } = people;
    const { services } = world.app;
    const recorder = fakeRecorder(world);
    const call = await startRecordableCall(world, alice, bob);
    const [first_track, second_track] = [createTrack('alice', []), createTrack('alice', [])];
    const leave = async (track: typeof first_track) => {
      const recording_id = await startRecording(world, alice);
      expect((await world.call('DELETE /calls/active/recording', { token: alice.token })).status).toBe(204);
      const room = call.conference_id;
      return { recording_id, room, started_at: world.clock.now(), duration_ms: 900, tracks: [track], videos: [] };
    };
    recorder.left = [await leave(first_track), await leave(second_track)];
    const ids = recorder.left.map(({ recording_id }) => recording_id);
    const { transcoder } = services;
    services.transcoder = {
      ...transcoder,
      mix: async ({ tracks }) => {
        if (tracks[0]?.path === first_track.path) throw new Error('the disk is broken');
        return undefined;
      },
    };
    const { recoverRecordings } = await import('../../domain/calls/recording/record-call.ts');
    await recoverRecordings(services);
    services.transcoder = transcoder;
    const found = await itemsOf(world, '/recordings', alice);
    expect(found.map(({ id, state }: Record<string, unknown>) => [id, state])).toEqual([
      [ids[1], 'ready'],
      [ids[0], 'processing'],
    ]);
    recorder.left = [];
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('has state "failed" if there was no audio', async () => {
    const { alice, bob } = people;
    fakeRecorder(world).tracks = [];
    await startRecordableCall(world, alice, bob);
    const id = await startRecording(world, alice);
    await stopRecording(world, alice, id);
    expect((await itemsOf(world, '/recordings?limit=1', alice))[0]).toMatchObject({ id, state: 'failed', tracks: [] });
    expect((await world.events(`user:${bob.id}`)).at(-1)).toMatchObject({
      type: 'recording.updated',
      data: { id, state: 'failed' },
    });
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('is a video with a poster if there was video and a transcoder, and counts as storage', slow, async () => {
    const { alice, bob } = people;
    const { services } = world.app;
    const recorder = fakeRecorder(world);
    recorder.tracks = [createTrack('alice', [[0, 5000]])];
    recorder.videos = [createVideo('alice', 500), createVideo('bob', 2000)];
    const composed: VideoComposition[] = [];
    const poster = await sharp({ create: { width: 1280, height: 720, channels: 3, background: '#c63' } })
      .png()
      .toBuffer();
    const { transcoder } = services;
    services.transcoder = {
      ...transcoder,
      async composeVideo(video) {
        composed.push(video);
        await writeFile(video.into, 'ftyp of a video');
        return { size_bytes: 14, poster };
      },
    };
    const stored = async () =>
      (
        await services.db.native.query<{ bytes: string }>('select storage_bytes as bytes from users where id = $1', [
          alice.id,
        ])
      ).rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
    const before = await stored();
    const call = await startRecordableCall(world, alice, bob);
    const id = await startRecording(world, alice);
    await world.clock.advance(10);
    await stopRecording(world, alice, id);
    services.transcoder = transcoder;
    expect(composed[0]?.scenes.at(-1)?.tiles.map(({ path }) => path)).toEqual(recorder.videos.map(({ path }) => path));
    expect(composed[0]?.tracks).toHaveLength(1);
    const [mine] = await itemsOf(world, '/recordings', bob);
    expect(mine).toMatchObject({ id, conference_id: call.conference_id, state: 'ready', tracks: [{ name: null }] });
    const { file } = mine.tracks[0];
    expect(file).toMatchObject({ kind: 'video', content_type: 'video/mp4', size_bytes: 14, width: 1280, height: 720 });
    expect(file.blurhash).toMatch(/^.{20,}$/);
    const get = async (url: string) => world.app.http.inject({ method: 'GET', url });
    const [video, poster_image] = [await get(file.stream_url), await get(file.poster_url)];
    expect([video.body, video.headers['content-type']]).toEqual(['ftyp of a video', 'video/mp4']);
    expect([poster_image.statusCode, poster_image.headers['content-type']]).toEqual([200, 'image/webp']);
    expect((await stored()) - before).toBe(14 + poster_image.rawPayload.length);
    // Without a transcoder, the audio is stored as tracks.
    const audio_id = await startRecording(world, alice);
    await stopRecording(world, alice, audio_id);
    const [audio_only] = await itemsOf(world, '/recordings', bob);
    expect([audio_only.id, audio_only.tracks[0].file.kind, audio_only.tracks[0].name]).toEqual([
      audio_id,
      'audio',
      'alice',
    ]);
    recorder.videos = [];
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('is listed for a participant who joined while it ran', slow, async () => {
    const { alice, bob, carol } = people;
    const call = await startRecordableCall(world, alice, bob);
    const id = await startRecording(world, alice);
    await world.call('PATCH /calls/active', { token: alice.token, body: { privacy: 'public' } });
    await requestGrants(world, call.join_code, carol);
    await connectMedia(world, call.conference_id, alice, bob, carol);
    expect(await itemsOf(world, '/recordings', carol)).toMatchObject([{ id, state: 'recording' }]);
    await world.call(`POST /calls/${call.join_code}/leave`, { token: carol.token, body: {} });
    await stopRecording(world, alice, id);
    expect(await itemsOf(world, '/recordings', carol)).toMatchObject([{ id }]);
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('is not listed for a participant who left before it started and rejoined after it ended', slow, async () => {
    const { alice, bob, carol } = people;
    const call = await startRecordableCall(world, alice, bob, carol);
    await world.call(`POST /calls/${call.join_code}/leave`, { token: carol.token, body: {} });
    await advanceTime(world, 10);
    await connectMedia(world, call.conference_id, alice, bob);
    await advanceTime(world, 10);
    const id = await startRecording(world, alice);
    await advanceTime(world, 5);
    await stopRecording(world, alice, id);
    await advanceTime(world, 5);
    await requestGrants(world, call.join_code, carol);
    await connectMedia(world, call.conference_id, alice, bob, carol);
    expect((await itemsOf(world, '/recordings', bob))[0].id).toBe(id);
    expect(JSON.stringify(await itemsOf(world, '/recordings', carol))).not.toContain(id);
    const events = (await world.events(`user:${carol.id}`)).filter(({ type }) => type === 'recording.updated');
    expect(events.filter(({ data }) => data.id === id)).toEqual([]);
    await world.call('DELETE /calls/active', { token: alice.token });
  });
});

import { expect, it } from 'vitest';
import { advanceTime, connectMedia, requestGrants } from '../../testing/steps/calls.ts';
import { saveRoom } from '../../testing/steps/rooms.ts';
import { block, createTag, follow, itemsOf } from '../../testing/steps/follows.ts';
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { createTrack, startRecording, startRecordableCall, fakeRecorder } from '../../testing/samples/recording.ts';
import { poll } from '../../testing/running/running-service.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

it('DELETE /calls/active/recording stops it, even before it has started', async () => {
  const world = await createWorld();
  const { alice, bob } = findPersonas();
  const removed: string[] = [];
  const { media } = world.app.services;
  const { remove } = media;
  media.remove = async (room, identity) => {
    removed.push(identity);
    await remove(room, identity);
  };
  const stop = async (token: string) => (await world.call('DELETE /calls/active/recording', { token })).status;
  await startRecordableCall(world, alice, bob);
  expect(await stop(alice.token)).toBe(404);
  await world.call('POST /calls/active/recording', { token: alice.token, body: {} });
  expect(await stop(alice.token)).toBe(204);
  const id = await startRecording(world, alice);
  expect([...fakeRecorder(world).running.keys()]).toEqual([id]);
  expect(await stop(bob.token)).toBe(403);
  expect(await stop(alice.token)).toBe(204);
  await world.settle();
  expect(removed).toEqual([`recorder-${id}`]);
  expect((await world.events(`user:${bob.id}`)).at(-1)?.data.call.recording).toBeNull();
  expect(await stop(alice.token)).toBe(404);
  await world.close();
});

it.each<[string, (world: World, people: Personas) => Promise<unknown>]>([
  [
    'is removed',
    async (world, { alice, bob }) => {
      const { body } = await world.call('GET /calls/active', { token: bob.token });
      const { id } = body.participants.find(({ user }: { user: { id: string } }) => user.id === alice.id);
      return world.call(`DELETE /calls/active/participants/${id}`, { token: bob.token });
    },
  ],
  ['is blocked by the host', (world, { alice, bob }) => block(world, bob, alice)],
  ['blocks the host', (world, { alice, bob }) => block(world, alice, bob)],
  [
    'is suspended after having left',
    async (world, { alice }) => {
      await world.call('DELETE /calls/active', { token: alice.token });
      await suspendUser(world.app.services, alice.id, { operator: 'olga', reason: 'because' });
    },
  ],
])('a recording stops when the person who started it, and is the host no more, %s', async (_what, remove) => {
  const world = await createWorld();
  const people = findPersonas();
  const { alice, bob, carol } = people;
  const removed: string[] = [];
  const { media } = world.app.services;
  media.remove = async (_room, identity) => void removed.push(identity);
  await startRecordableCall(world, alice, bob, carol);
  const id = await startRecording(world, alice);
  const active = await world.call('GET /calls/active', { token: bob.token });
  const next = active.body.participants.find(({ user }: { user: { id: string } }) => user.id === bob.id);
  expect(
    (await world.call('PUT /calls/active/host', { token: alice.token, body: { participant_id: next.id } })).status,
  ).toBe(200);
  await remove(world, people);
  await world.settle();
  expect(removed).toContain(`recorder-${id}`);
  expect((await world.call('GET /calls/active', { token: carol.token })).body.recording).toBeNull();
  expect((await world.events(`user:${carol.id}`)).at(-1)?.data.call.recording).toBeNull();
  await world.close();
});

it('a recording in a lasting room stops when the person who started it may no longer enter the room', async () => {
  const world = await createWorld();
  const { alice, bob, carol } = findPersonas();
  const tag = await createTag(world, alice, 'booth');
  for (const who of [bob, carol]) await follow(world, tag, who);
  const { join_code } = await saveRoom(world, `/xtags/${tag.id}`, alice);
  await requestGrants(world, join_code, bob, carol);
  const { body } = await world.call('GET /calls/active', { token: bob.token });
  await connectMedia(world, body.conference_id, bob, carol);
  await startRecording(world, bob);
  await world.call(`DELETE /xtags/${tag.id}/follow`, { token: bob.token });
  expect((await world.call('GET /calls/active', { token: carol.token })).body.recording).toBeNull();
  await world.close();
});

/** A minute of two voices, on a disk with space. */
const minute = { audio_bytes: 1_000_000, video_bytes: 0, duration_ms: 60_000, free_bytes: 1e12 };
const quota = plan_limits.free.storage_bytes;

/** A world in which a call with an audio track is recorded, and its people. */
async function startRecordedCall() {
  const world = await createWorld();
  const { alice, bob } = findPersonas();
  const recorder = fakeRecorder(world);
  recorder.tracks = [createTrack('alice', [[0, 5000]])];
  await startRecordableCall(world, alice, bob);
  const use = (bytes: number) =>
    world.app.services.db.native.query('update users set storage_bytes = $1 where id = $2', [bytes, alice.id]);
  return { world, alice, bob, recorder, use, id: await startRecording(world, alice) };
}

it.each([
  ['the storage of its owner', minute],
  ['the space on the disk', { ...minute, free_bytes: 500_000_000 }],
])('a recording that has used up %s ends, is announced to have ended, and is kept', async (what, size) => {
  const { world, alice, bob, recorder, use, id } = await startRecordedCall();
  if (what === 'the storage of its owner') {
    await use(quota - minute.audio_bytes - 1);
    expect(await recorder.grow(id, minute)).toBe(false);
    await use(quota - minute.audio_bytes);
  }
  await world.clock.advance(60);
  expect(await recorder.grow(id, size)).toBe(true);
  await poll(async () => recorder.discarded.includes(id), 'the recording to be stored');
  await world.settle();
  const events = await world.events(`user:${bob.id}`);
  expect(events.findLast(({ type }) => type === 'call.updated')?.data.call.recording).toBeNull();
  expect(events.at(-1)).toMatchObject({ type: 'recording.updated', data: { id, state: 'ready' } });
  // It is not continued, as one that was interrupted would be.
  const recordings = await itemsOf(world, '/recordings', alice);
  expect(
    recordings.map(({ id: its_id, state, tracks }: Record<string, unknown[]>) => [its_id, state, tracks?.length]),
  ).toEqual([[id, 'ready', 1]]);
  expect((await world.call('GET /calls/active', { token: alice.token })).body.recording).toBeNull();
  await world.close();
});

it('of many cameras only the video that they become counts, and no video where none can be made', async () => {
  const { world, recorder, use, id } = await startRecordedCall();
  const { services } = world.app;
  const cameras = { ...minute, video_bytes: 100_000_000 };
  await use(quota - 12_000_001);
  expect(await recorder.grow(id, cameras)).toBe(false);
  services.transcoder = { ...services.transcoder, makes_video: true };
  await use(quota - 12_000_001);
  expect(await recorder.grow(id, cameras)).toBe(false);
  await use(quota - 12_000_000);
  expect(await recorder.grow(id, cameras)).toBe(true);
  await world.close();
});

it('a recording waiting to be mixed counts, and an interrupted one needs storage to continue', slow, async () => {
  const { world, alice, recorder, use, id } = await startRecordedCall();
  const { services } = world.app;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  services.transcoder = { ...services.transcoder, mix: () => promise };
  recorder.tracks = recorder.tracks.map((track) => ({ ...track, size_bytes: 3_000_000 }));
  await use(quota - 3_500_000);
  await world.clock.advance(60);
  expect((await world.call('DELETE /calls/active/recording', { token: alice.token })).status).toBe(204);
  recorder.end(id);
  const second = await startRecording(world, alice);
  expect(await recorder.grow(second, { ...minute, audio_bytes: 400_000 })).toBe(false);
  await world.clock.advance(60);
  // Its end was not requested, as when its process dies.
  recorder.end(second);
  resolve(undefined);
  await poll(async () => recorder.discarded.length === 2, 'the recordings to be stored');
  expect(await itemsOf(world, '/recordings', alice)).toHaveLength(2);
  await world.close();
});

it('discards a recording that is stopped while it starts', slow, async () => {
  const world = await createWorld();
  const { alice, bob } = findPersonas();
  const recorder = fakeRecorder(world);
  const { start } = recorder;
  await startRecordableCall(world, alice, bob);
  const { body } = await world.call('POST /calls/active/recording', { token: alice.token, body: {} });
  recorder.start = async (input) => {
    const started = await start(input);
    expect((await world.call('DELETE /calls/active/recording', { token: alice.token })).status).toBe(204);
    return started;
  };
  await advanceTime(world, 4);
  expect([...recorder.running.keys()]).toEqual([]);
  await poll(async () => recorder.discarded.includes(body.recording.id), 'what was recorded to be thrown away');
  await world.close();
});

import { expect, it } from 'vitest';
import { advanceTime } from '../../testing/calling.ts';
import { findPersonas } from '../../testing/personas.ts';
import { startRecording, startRecordableCall, fakeRecorder } from '../../testing/recording.ts';
import { poll } from '../../testing/running-service.ts';
import { createWorld } from '../../testing/world.ts';

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

it('discards a recording that is stopped while it starts', async () => {
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

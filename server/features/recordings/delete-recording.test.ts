import { expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Persona } from '../../testing/world/personas.ts';
import {
  startRecording,
  startRecordableCall,
  stopRecording,
  createTrack,
  fakeRecorder,
} from '../../testing/samples/recording.ts';
import { createWorld } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

it('DELETE /recordings/{recording_id} removes it for the caller, for all if they started it', slow, async () => {
  const world = await createWorld();
  const { alice, bob, carol } = findPersonas();
  fakeRecorder(world).tracks = [createTrack('alice', [])];
  await startRecordableCall(world, alice, bob, carol);
  const id = await startRecording(world, alice);
  const remove = async ({ token }: Persona) => (await world.call(`DELETE /recordings/${id}`, { token })).status;
  expect(await remove(alice)).toBe(409);
  await stopRecording(world, alice, id);
  const [{ tracks }] = await itemsOf(world, '/recordings', carol);
  const streamStatus = async () =>
    (await world.app.http.inject({ method: 'GET', url: tracks[0].file.stream_url })).statusCode;
  // Concurrent requests delete it once.
  const answers = await Promise.all([remove(bob), remove(bob), remove(bob)]);
  expect(answers.filter((status) => status !== 204 && status !== 404)).toEqual([]);
  expect([await itemsOf(world, '/recordings', bob), await remove(bob)]).toEqual([[], 404]);
  expect([await itemsOf(world, '/recordings', carol), await streamStatus()]).toMatchObject([[{ id }], 200]);
  expect(await remove(alice)).toBe(204);
  expect([await itemsOf(world, '/recordings', carol), await streamStatus()]).toEqual([[], 404]);
  expect((await world.events(`user:${carol.id}`)).at(-1)).toEqual({ type: 'recording.deleted', data: { id } });
  await world.close();
});

import { expect, it } from 'vitest';
import { poll } from '../../../testing/running/running-service.ts';
import { createTrack, fakeRecorder, startRecordableCall, startRecording } from '../../../testing/samples/recording.ts';
import { findPersonas, type Persona } from '../../../testing/world/personas.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';
import { slow } from '../../../../testing/slow-tests.ts';

/** Deletes an account with everything that is deleted later. */
async function removeAccount(world: World, { token, password }: Persona): Promise<void> {
  expect((await world.call('DELETE /me', { token, body: { password } })).status).toBe(204);
  await world.settle();
}

/** What is stored of recordings: rows, files, their attachments, and bytes. */
async function stored(world: World) {
  const { db, blobs } = world.app.services;
  const count = async (table: string) => Number((await db.native.query(`select count(*) from ${table}`)).rows[0].count);
  const bytes: string[] = [];
  for await (const key of blobs.list('files/')) bytes.push(key);
  return [await count('recordings'), await count('files'), await count('file_uses'), bytes.length];
}

it(
  'nothing is stored of a recording that is being mixed while the account that started it is deleted',
  slow,
  async () => {
    const world = await createWorld();
    const { alice, bob } = findPersonas();
    const before = await stored(world);
    const recorder = fakeRecorder(world);
    recorder.tracks = [createTrack('alice', [[0, 5000]])];
    const mixing = Promise.withResolvers<void>();
    const deleted = Promise.withResolvers<void>();
    world.app.services.transcoder.mix = async () => {
      mixing.resolve();
      await deleted.promise;
      return undefined;
    };
    await startRecordableCall(world, alice, bob);
    const id = await startRecording(world, alice);
    expect((await world.call('DELETE /calls/active/recording', { token: alice.token })).status).toBe(204);
    recorder.end(id);
    await mixing.promise;
    await removeAccount(world, alice);
    deleted.resolve();
    await poll(async () => recorder.discarded.includes(id), 'the recording to be discarded');
    expect(await stored(world)).toEqual(before);
    expect((await world.events(`user:${bob.id}`)).filter(({ type }) => type === 'recording.updated')).toEqual([]);
    await world.close();
  },
);

it(
  'a recording that continues after the person who started it has left ends and is deleted with their account',
  slow,
  async () => {
    const world = await createWorld();
    const { alice, bob, carol } = findPersonas();
    const before = await stored(world);
    const recorder = fakeRecorder(world);
    recorder.tracks = [createTrack('alice', [[0, 5000]])];
    const call = await startRecordableCall(world, alice, bob, carol);
    const id = await startRecording(world, alice);
    const { body } = await world.call('GET /calls/active', { token: alice.token });
    const next = body.participants.find(({ user }: { user: { id: string } }) => user.id === bob.id);
    await world.call('PUT /calls/active/host', { token: alice.token, body: { participant_id: next.id } });
    await world.call(`POST /calls/${call.join_code}/leave`, { token: alice.token, body: {} });
    expect((await world.call('GET /calls/active', { token: bob.token })).body.recording).not.toBeNull();
    await removeAccount(world, alice);
    expect((await world.call('GET /calls/active', { token: bob.token })).body.recording).toBeNull();
    recorder.end(id);
    await poll(async () => recorder.discarded.includes(id), 'the recording to be discarded');
    await world.settle();
    expect(await stored(world)).toEqual(before);
    await world.close();
  },
);

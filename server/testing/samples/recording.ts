/** Recordings in tests: the files that a fake recorder returns. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RecordedVideo, RecordedTrack } from '../../engines/ports.ts';
import { connectMedia, requestGrants as enter, advanceTime, startCall } from '../steps/calls.ts';
import type { FakeRecorder } from '../providers/fake-recorder.ts';
import type { Persona } from '../world/personas.ts';
import { poll } from '../running/running-service.ts';
import type { World } from '../world/world.ts';

/** An audio track in a separate file. Nothing decodes it: mixing of real audio has separate tests. */
export function createTrack(name: string, spoke: [number, number][], identity = name): RecordedTrack {
  const path = join(mkdtempSync(join(tmpdir(), 'asterism-track-')), `${name}.ogg`);
  const bytes = Buffer.from(`OggS sound of ${name}`);
  writeFileSync(path, bytes);
  return {
    path,
    identity,
    name,
    source: 'microphone',
    starts_ms: 0,
    duration_ms: 60_000,
    size_bytes: bytes.length,
    muted: [],
    spoke: spoke.map(([from_ms, to_ms]) => ({ from_ms, to_ms })),
  };
}

/** A minute of a camera, which nothing decodes either. */
export function createVideo(name: string, starts_ms: number): RecordedVideo {
  const path = join(mkdtempSync(join(tmpdir(), 'asterism-picture-')), `${name}.ivf`);
  const bytes = Buffer.from(`DKIF pictures of ${name}`);
  writeFileSync(path, bytes);
  const metadata = { identity: name, name, track_id: `TR_${name}`, source: 'camera', width: 640, height: 360 };
  return { path, starts_ms, duration_ms: 60_000, size_bytes: bytes.length, ...metadata };
}

/** The recorder of a world. */
export const fakeRecorder = (world: World) => world.app.services.recorder as FakeRecorder;

/** A call whose participants are connected to its media. */
export async function startRecordableCall(world: World, host: Persona, ...guests: Persona[]) {
  const call = await startCall(world, host, guests);
  await enter(world, call.join_code, host, ...guests);
  await connectMedia(world, call.conference_id, host, ...guests);
  return call;
}

/** Starts a recording as the host, and waits until it has begun. */
export async function startRecording(world: World, { token }: Persona): Promise<string> {
  const { status, body } = await world.call('POST /calls/active/recording', { token, body: {} });
  expect([status, body.error]).toEqual([201, undefined]);
  await advanceTime(world, 4);
  return body.recording.id;
}

/** Stops a recording as the host, and waits until it is stored. */
export async function stopRecording(world: World, { token }: Persona, recording_id: string): Promise<void> {
  expect((await world.call('DELETE /calls/active/recording', { token })).status).toBe(204);
  const recorder = fakeRecorder(world);
  recorder.end(recording_id);
  await poll(async () => recorder.discarded.includes(recording_id), 'the recording to be stored');
}

/** An ended call, in which everybody has written and which the host has recorded. */
export async function endedRecordedCall(world: World, host: Persona, ...guests: Persona[]) {
  const call = await startRecordableCall(world, host, ...guests);
  for (const { token } of [host, ...guests])
    await world.call(`POST /calls/${call.join_code}/chat`, { token, body: { body: 'Hello' } });
  await stopRecording(world, host, await startRecording(world, host));
  await world.call('DELETE /calls/active', { token: host.token });
  return call;
}

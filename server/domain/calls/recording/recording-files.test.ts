import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { MixInput, Recorded } from '../../../engines/ports.ts';
import { default_limits } from '../../../kernel/load/limits.ts';
import type { Services } from '../../../kernel/services.ts';
import { createNoTranscoder } from '../../../engines/transcoder/none.ts';
import { createTrack, createVideo } from '../../../testing/samples/recording.ts';
import { makeFiles } from './recording-files.ts';

/** The services that files are made with. Making each takes until the test ends it, and fails. */
function createServices() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  let running = 0;
  let max_running = 0;
  const make = async (name: string) => {
    started.push(name);
    max_running = Math.max(max_running, ++running);
    await new Promise<void>((end) => ends.push(end));
    running--;
    return undefined;
  };
  const services = {
    transcoder: {
      ...createNoTranscoder(),
      mix: ({ chapters }: MixInput) => make(`audio ${chapters[0]?.title}`),
      composeVideo: ({ chapters }: MixInput) => make(`video ${chapters[0]?.title}`),
    },
    limits: default_limits,
    log: { warn: () => undefined },
    id: () => 'file_1',
    blobs: {
      put: async (_key: string, bytes: Readable) => void (await bytes.toArray()),
    },
  } as unknown as Services;
  return {
    services,
    started,
    maxRunning: () => max_running,
    async endAll(made: Promise<unknown>[]) {
      const done = Promise.all(made).then(() => true);
      while (!(await Promise.race([done, new Promise((resolve) => setImmediate(resolve, false))]))) ends.shift()?.();
    },
  };
}

const recordedOf = (kind: 'audio' | 'video'): Recorded => ({
  recording_id: 'rec_1',
  room: 'room',
  started_at: new Date(0),
  duration_ms: 60_000,
  tracks: kind === 'audio' ? [createTrack('ann', [])] : [],
  videos: kind === 'video' ? [createVideo('ann', 0)] : [],
});

it.each(['audio', 'video'] as const)(
  'the %s of recordings is made one at a time, round robin over accounts',
  async (kind) => {
    const { services, started, maxRunning, endAll } = createServices();
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
    await endAll(
      names.map((name) => makeFiles(services, name.charAt(0), recordedOf(kind), [{ from_ms: 0, title: name }])),
    );
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'].map((name) => `${kind} ${name}`));
    expect(maxRunning()).toBe(1);
  },
);

it('a mix does not wait for a video, and no recording is refused, however many wait', async () => {
  const { services, started, endAll } = createServices();
  const make = (name: string, kind: 'audio' | 'video') =>
    makeFiles(services, 'ann', recordedOf(kind), [{ from_ms: 0, title: name }]);
  const made = [make('first', 'video'), make('second', 'audio')];
  expect(started).toEqual(['video first', 'audio second']);
  made.push(...Array.from({ length: 100 }, (_, index) => make(String(index), 'audio')));
  await endAll(made);
  expect(started).toHaveLength(102);
});

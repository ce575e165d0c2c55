import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSfu, type Sfu } from './index.ts';
import { startNetworkPath, type NetworkPath } from './testing/network-path.ts';
import { inbound, missing_browser, openPages, poll, type Inbound, type Pages } from './testing/pages.ts';
import { describeUnlessMissing } from '../testing/skip.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };
/** The energy of one second of audible audio, in the unit of `totalAudioEnergy`; the fake device beeps once a second. */
const AUDIBLE_ENERGY = 0.001;

/** Sender and receiver each have a separate network path and a separate browser. */
describeUnlessMissing(missing_browser, 'calls over impaired networks', () => {
  let sfu: Sfu;
  let browsers: [Pages, Pages];
  let paths: [NetworkPath, NetworkPath];
  let sender: Page;
  let receiver: Page;
  let rooms = 0;
  beforeAll(async () => {
    sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key });
    browsers = [await openPages(key), await openPages(key)];
  });
  afterAll(async () => {
    for (const browser of browsers ?? []) await browser.close();
    await sfu?.close();
  });
  beforeEach(async () => {
    const room = `impaired-${++rooms}`;
    paths = [await startNetworkPath(sfu.url, 1), await startNetworkPath(sfu.url, 2)];
    sender = await browsers[0].join('sender', room, paths[0].url);
    receiver = await browsers[1].join('receiver', room, paths[1].url);
    await sender.evaluate('room.localParticipant.enableCameraAndMicrophone()');
    await poll('video', async () => ((await inbound(receiver, 'camera')).frames ?? 0) > 60, 30_000);
    await poll('audio', async () => ((await inbound(receiver, 'microphone')).energy ?? 0) > AUDIBLE_ENERGY, 30_000);
  });
  afterEach(async () => {
    await Promise.all([sender?.close(), receiver?.close()]);
    await Promise.all(paths.map((path) => path.close()));
  });

  /** Waits for new audio. @returns the time until then in ms */
  async function awaitAudio(within_ms: number): Promise<number> {
    const started_ms = performance.now();
    let before: Inbound = {};
    await poll(
      'audio',
      async () => {
        const now = await inbound(receiver, 'microphone').catch(() => ({}) as Inbound);
        const { energy = 0, packets = 0 } = now;
        // The counters of a new connection start at zero.
        if (before.packets === undefined || packets < before.packets) before = now;
        return packets > (before.packets ?? 0) + 10 && energy > (before.energy ?? 0) + AUDIBLE_ENERGY / 10;
      },
      within_ms,
    );
    return performance.now() - started_ms;
  }

  /** Measures over some seconds the longest time without a new frame, in ms, and the number of frames. */
  async function watchFreezes(seconds: number): Promise<{ max_ms: number; frames: number }> {
    const { frames: first = 0 } = await inbound(receiver, 'camera');
    const started_ms = performance.now();
    let [last, since_ms, max_ms] = [first, started_ms, 0];
    await poll(
      'the time to pass',
      async () => {
        const { frames = 0 } = await inbound(receiver, 'camera');
        const now_ms = performance.now();
        max_ms = Math.max(max_ms, now_ms - since_ms);
        if (frames > last) [last, since_ms] = [frames, now_ms];
        return now_ms - started_ms > seconds * 1000;
      },
      (seconds + 10) * 1000,
    );
    return { max_ms, frames: last - first };
  }

  const set = (weather: Partial<NetworkPath['conditions']>) => {
    for (const path of paths) Object.assign(path.conditions, weather);
  };
  const concealed = (from: Inbound, to: Inbound) =>
    ((to.concealed ?? 0) - (from.concealed ?? 0)) / ((to.samples ?? 0) - (from.samples ?? 0));

  test('3 % loss on both paths: audio continues, and video freezes for less than 2 s', async () => {
    set({ loss: 0.03 });
    const before = await inbound(receiver, 'microphone');
    const { max_ms, frames } = await watchFreezes(15);
    expect(await awaitAudio(5_000)).toBeLessThan(5_000);
    expect(paths[1].counts.dropped).toBeGreaterThan(20);
    expect(max_ms).toBeLessThan(2_000);
    expect(frames).toBeGreaterThan(150);
    // Each packet repeats the one before it (RED): most of the 6 % of lost packets are restored.
    const after = await inbound(receiver, 'microphone');
    expect(after.redundant).toBeGreaterThan(Math.max(20, (after.packets ?? 0) / 2));
    const grown = (name: 'lost' | 'restored') => (after[name] ?? 0) - (before[name] ?? 0);
    expect(grown('restored')).toBeGreaterThan(grown('lost') * 0.7);
    // A busy machine conceals some audio itself, since it decodes too late.
    expect(concealed(before, after)).toBeLessThan(0.15);
  });

  test('10 % loss on both paths: audio and video continue', async () => {
    set({ loss: 0.1 });
    const { frames } = await watchFreezes(15);
    expect(await awaitAudio(5_000)).toBeLessThan(5_000);
    expect(frames).toBeGreaterThan(30);
  });

  test('200 ms of delay on both paths: audio is received within 5 s, and video continues', async () => {
    set({ delay_ms: 200 });
    expect(await awaitAudio(5_000)).toBeLessThan(5_000);
    const { max_ms } = await watchFreezes(8);
    expect(max_ms).toBeLessThan(2_000);
  });

  test('a path of 300 kbit/s receives a smaller layer and complete audio, and the large layer again afterwards', async () => {
    await poll('the large layer', async () => ((await inbound(receiver, 'camera')).width ?? 0) >= 1_000, 30_000);
    paths[1].conditions.bits_per_second = 300_000;
    expect(await awaitAudio(5_000)).toBeLessThan(5_000);
    const isSmall = async () => ((await inbound(receiver, 'camera')).width ?? 9_999) <= 640;
    await poll('a smaller layer', isSmall, 20_000);
    const before = await inbound(receiver, 'microphone');
    const { max_ms, frames } = await watchFreezes(10);
    expect(frames).toBeGreaterThan(50);
    expect(max_ms).toBeLessThan(2_500);
    expect(concealed(before, await inbound(receiver, 'microphone'))).toBeLessThan(0.15);
    paths[1].conditions.bits_per_second = Infinity;
    await poll('the large layer again', async () => ((await inbound(receiver, 'camera')).width ?? 0) >= 1_000, 60_000);
  });

  test('connection quality is poor only for the participant whose path loses packets', async () => {
    const qualityOf = (page: Page, who: string) => page.evaluate(`${who}.connectionQuality`) as Promise<string>;
    const [own, other] = ['room.localParticipant', '[...room.remoteParticipants.values()][0]'];
    for (const page of [sender, receiver])
      await poll('excellent quality', async () => (await qualityOf(page, own)) === 'excellent', 20_000);
    paths[1].conditions.loss = 0.3;
    await poll('poor quality', async () => (await qualityOf(receiver, own)) === 'poor', 20_000);
    await poll('poor quality seen by the sender', async () => (await qualityOf(sender, other)) === 'poor', 5_000);
    expect([await qualityOf(sender, own), await qualityOf(receiver, other)]).toEqual(['excellent', 'excellent']);
    paths[1].conditions.loss = 0;
    await poll('excellent quality again', async () => (await qualityOf(receiver, own)) === 'excellent', 30_000);
  });

  test('a network change: audio is received again within 5 s', async () => {
    paths[1].cut();
    paths[1].cutSignals();
    expect(await awaitAudio(10_000)).toBeLessThan(5_000);
  });

  test('a machine that sleeps for 30 s: audio is received again within 5 s of its wake-up', async () => {
    browsers[1].sleep();
    const slept_at_ms = performance.now();
    try {
      await poll('30 s to pass', () => Promise.resolve(performance.now() - slept_at_ms > 30_000), 40_000);
    } finally {
      browsers[1].wake();
    }
    expect(await awaitAudio(20_000)).toBeLessThan(5_000);
  });
});

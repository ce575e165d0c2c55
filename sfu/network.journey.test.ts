import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSfu, type Sfu } from './index.ts';
import { startNetworkPath, type NetworkPath } from './testing/network-path.ts';
import { inbound, missing_browser, openPages, poll, seen, type Inbound, type Pages } from './testing/pages.ts';
import { describeUnlessMissing } from '../testing/skip.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };

describeUnlessMissing(missing_browser, 'two pages in Chromium over an impaired network', () => {
  let sfu: Sfu;
  let pages: Pages;
  let path: NetworkPath;
  let a: Page;
  let b: Page;
  let rooms = 0;
  beforeAll(async () => {
    sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key });
    pages = await openPages(key);
  });
  afterAll(async () => {
    await pages?.close();
    await sfu?.close();
  });
  beforeEach(async () => {
    path = await startNetworkPath(sfu.url);
    const room = `network-${++rooms}`;
    a = await pages.join('alice', room, path.url);
    b = await pages.join('bob', room, path.url);
    await a.evaluate('room.localParticipant.enableCameraAndMicrophone()');
    await poll('video', async () => ((await inbound(b, 'camera')).frames ?? 0) > 30);
    await poll('audio', async () => ((await inbound(b, 'microphone')).energy ?? 0) > 0.0001);
  });
  afterEach(async () => {
    await Promise.all([a?.close(), b?.close()]);
    await path.close();
  });

  const expectMore = async (page: Page, source: 'camera' | 'microphone', within_ms = 20_000) => {
    const count = async () => {
      const { frames = 0, packets = 0 } = await inbound(page, source);
      return source === 'camera' ? frames : packets;
    };
    const before = await count();
    await poll(`more of the ${source}`, async () => (await count()) > before + 40, within_ms);
  };
  const readSid = (page: Page) => page.evaluate('room.localParticipant.sid') as Promise<string>;

  test('audio stays complete and video continues with 5 % loss and reordered packets', async () => {
    Object.assign(path.conditions, { loss: 0.05, overtaken: 0.05 });
    const [audio_before, video_before] = [await inbound(b, 'microphone'), await inbound(b, 'camera')];
    const grown = (now: Inbound, before: Inbound, what: keyof Inbound) => (now[what] ?? 0) - (before[what] ?? 0);
    const second = 48_000;
    await poll('audio', async () => grown(await inbound(b, 'microphone'), audio_before, 'samples') > 8 * second);
    const [audio_after, video_after] = [await inbound(b, 'microphone'), await inbound(b, 'camera')];
    expect(path.counts.dropped).toBeGreaterThan(50);
    // 5 % loss in both directions: the receiver conceals lost packets, and nothing else is missing.
    expect(grown(audio_after, audio_before, 'concealed') / grown(audio_after, audio_before, 'samples')).toBeLessThan(
      0.2,
    );
    expect(grown(audio_after, audio_before, 'energy')).toBeGreaterThan(0.1);
    expect(grown(video_after, video_before, 'nacks')).toBeGreaterThan(10);
    expect(grown(video_after, video_before, 'frames')).toBeGreaterThan(80);
  });

  test('a changed NAT mapping requires no new join', async () => {
    const sids = [await readSid(a), await readSid(b)];
    path.rebind();
    await expectMore(b, 'microphone');
    await expectMore(b, 'camera');
    expect([await readSid(a), await readSid(b)]).toEqual(sids);
  });

  test('a network change for signalling and media is resumed without a new join', async () => {
    const sids = [await readSid(a), await readSid(b)];
    path.cut();
    path.cutSignals();
    await poll('both to resume', async () => (await seen(a, 'Reconnected')) && (await seen(b, 'Reconnected')), 40_000);
    await expectMore(b, 'microphone');
    await expectMore(b, 'camera');
    expect([await readSid(a), await readSid(b)]).toEqual(sids);
  });
});

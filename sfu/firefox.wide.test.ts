import { AccessToken } from 'livekit-server-sdk';
import { afterEach, expect, test } from 'vitest';
import { startSfu } from './index.ts';
import { missing_firefox, openFirefox } from './testing/firefox.ts';
import { findAddresses } from './transport/media-port.ts';
import { inbound, missing_browser, openPages, poll } from './testing/pages.ts';
import { describeUnlessMissing } from '../testing/skip.ts';

const missing_address = findAddresses().includes('127.0.0.1') ? 'an address besides loopback' : undefined;
const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };

const missing = missing_firefox ?? missing_browser ?? missing_address;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

describeUnlessMissing(missing, 'Firefox and Chromium in one room', () => {
  test('receive audio, video and data from each other', async () => {
    // Firefox does not pair its candidates with loopback, so the other addresses of the machine are used.
    const sfu = await startSfu({ host: '0.0.0.0', port: 0, ...key });
    const url = sfu.url.replace('0.0.0.0', '127.0.0.1');
    closing.push(() => sfu.close());
    const pages = await openPages(key);
    closing.push(() => pages.close());
    const chromium = await pages.join('chromium', 'both', url);
    await chromium.evaluate('room.localParticipant.enableCameraAndMicrophone()');
    const token = new AccessToken(key.api_key, key.api_secret, { identity: 'firefox' });
    token.addGrant({ roomJoin: true, roomCreate: true, room: 'both' });
    const firefox = await openFirefox(url, await token.toJwt());
    closing.push(() => firefox.close());
    const last = () => firefox.reports.at(-1) ?? {};
    await poll('the first report of Firefox', () => Promise.resolve(firefox.reports.length > 0), 60_000);
    expect(firefox.reports[0]?.error).toBeUndefined();
    await poll('video in Chromium', async () => ((await inbound(chromium, 'camera')).frames ?? 0) > 30, 30_000);
    await poll('audio in Chromium', async () => ((await inbound(chromium, 'microphone')).energy ?? 0) > 0.001, 30_000);
    await poll('video in Firefox', () => Promise.resolve((last().camera?.frames ?? 0) > 30), 30_000);
    await poll('audio in Firefox', () => Promise.resolve((last().microphone?.packets ?? 0) > 100), 30_000);
    expect(await chromium.evaluate('events')).toContain('data:firefox:hello');
    await chromium.evaluate(`room.localParticipant.publishData(new TextEncoder().encode('back'), { reliable: true })`);
    await poll('data', () => Promise.resolve(firefox.reports.some(({ data }) => data === 'chromium:back')));
  });
});

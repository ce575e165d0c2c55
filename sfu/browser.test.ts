import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSfu, type Sfu } from './index.ts';
import { inbound, missing_browser, openPages, poll, seen, type Pages } from './testing/pages.ts';
import { describeUnlessMissing } from '../testing/skip.ts';

const api_key = 'test-key';
const api_secret = 'test-secret-of-at-least-thirty-two-bytes';

describeUnlessMissing(missing_browser, 'two pages in Chromium', () => {
  let sfu: Sfu;
  let pages: Pages;
  const children = new Set<ChildProcess>();

  beforeAll(async () => {
    sfu = await startSfu({ host: '127.0.0.1', port: 0, api_key, api_secret });
    pages = await openPages({ api_key, api_secret });
  });

  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await pages?.close();
    await sfu?.close();
  });

  /** Starts the server as a separate process. @returns the process, and its address when it is ready */
  async function spawnServer(port: number): Promise<{ child: ChildProcess; url: string }> {
    const env = { ...process.env, SFU_PORT: String(port), SFU_API_KEY: api_key, SFU_API_SECRET: api_secret };
    const main = join(import.meta.dirname, 'main.ts');
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.add(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, url: (JSON.parse(line.toString()) as { url: string }).url };
  }

  const join_as = (identity: string, room: string, url = sfu.url) => pages.join(identity, room, url);

  test('exchange audio, the requested layer of a simulcast camera, a screen, mute, data and leave', async () => {
    const [a, b] = [await join_as('alice', 'browser'), await join_as('bob', 'browser')];
    await a.evaluate('room.localParticipant.enableCameraAndMicrophone()');
    await poll('decoded frames', async () => ((await inbound(b, 'camera')).frames ?? 0) > 10);
    await poll('audio', async () => ((await inbound(b, 'microphone')).energy ?? 0) > 0.0001);
    await poll('the high layer', async () => (await inbound(b, 'camera')).width === 1280, 30_000);
    const publication = `[...room.remoteParticipants.values()][0].getTrackPublication('camera')`;
    await b.evaluate(`${publication}.setVideoQuality(0)`);
    await poll('the low layer', async () => ((await inbound(b, 'camera')).width ?? 9999) <= 320);
    const frames = (await inbound(b, 'camera')).frames ?? 0;
    await poll('frames of the low layer', async () => ((await inbound(b, 'camera')).frames ?? 0) > frames + 20);
    await b.evaluate(`${publication}.setVideoQuality(2)`);
    await poll('the high layer again', async () => (await inbound(b, 'camera')).width === 1280);

    // A second simulcast section on the same connection, with the same rids as the camera's.
    await a.evaluate(`publishScreen()`);
    await poll('frames of the screen', async () => ((await inbound(b, 'screen_share')).frames ?? 0) > 10);
    expect((await inbound(b, 'screen_share')).width).toBe(640);
    const camera_frames = (await inbound(b, 'camera')).frames ?? 0;
    await poll(
      'more frames of the camera',
      async () => ((await inbound(b, 'camera')).frames ?? 0) > camera_frames + 20,
    );
    await poll('the camera in its high layer', async () => (await inbound(b, 'camera')).width === 1280);

    await a.evaluate('room.localParticipant.setMicrophoneEnabled(false)');
    await poll('mute', () => seen(b, 'TrackMuted'));
    await a.evaluate('room.localParticipant.setMicrophoneEnabled(true)');
    await poll('unmute', () => seen(b, 'TrackUnmuted'));
    await b.evaluate(`room.localParticipant.publishData(new TextEncoder().encode('hi'), { reliable: false })`);
    await poll('lossy data', () => seen(a, 'data:bob:hi'));
    await a.close();
    await poll('alice to leave', () => seen(b, 'ParticipantDisconnected'));
    await b.close();
  });

  test('send layers only while a subscriber requests them', async () => {
    const options = { room_options: { dynacast: true } };
    const [a, b] = [await pages.join('alice', 'unwatched', sfu.url, options), await join_as('bob', 'unwatched')];
    await a.evaluate('room.localParticipant.setCameraEnabled(true)');
    await poll('the high layer', async () => (await inbound(b, 'camera')).width === 1280, 30_000);
    const publication = `[...room.remoteParticipants.values()][0].getTrackPublication('camera')`;
    const layers = () => a.evaluate('activeLayers()') as Promise<string[]>;
    expect(await layers()).toEqual(['f', 'h', 'q']);
    await b.evaluate(`${publication}.setVideoQuality(0)`);
    await poll('the low layer alone', async () => (await layers()).join() === 'q');
    await b.evaluate(`${publication}.setVideoQuality(2)`);
    await poll('the high layer again', async () => (await inbound(b, 'camera')).width === 1280, 30_000);
    await b.evaluate(`${publication}.setSubscribed(false)`);
    await poll('no layer at all', async () => (await layers()).length === 0);
    await Promise.all([a.close(), b.close()]);
  });

  test('resume after a lost socket without a new join, and reconnect after a kill -9 of the server', async () => {
    const first = await spawnServer(0);
    const [a, b] = [await join_as('alice', 'resume', first.url), await join_as('bob', 'resume', first.url)];
    await a.evaluate('room.localParticipant.setMicrophoneEnabled(true)');
    await poll('audio', async () => ((await inbound(b, 'microphone')).energy ?? 0) > 0.0001);
    const readSid = (page: Page) => page.evaluate('room.localParticipant.sid') as Promise<string>;
    const [sid, sid_of_b] = [await readSid(a), await readSid(b)];
    await a.evaluate('room.simulateScenario("signal-reconnect")');
    await poll('resumption', () => seen(a, 'Reconnected'));
    expect(await readSid(a)).toBe(sid);
    const packets = (await inbound(b, 'microphone')).packets ?? 0;
    await poll('more audio', async () => ((await inbound(b, 'microphone')).packets ?? 0) > packets + 50);

    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    await spawnServer(Number(new URL(first.url).port));
    const isBack = async (page: Page, old_sid: string) =>
      (await page.evaluate('room.state')) === 'connected' && (await readSid(page)) !== old_sid;
    await poll('both to rejoin', async () => (await isBack(a, sid)) && (await isBack(b, sid_of_b)), 40_000);
    await poll('audio after the restart', async () => ((await inbound(b, 'microphone')).packets ?? 0) > 50, 40_000);
    await Promise.all([a.close(), b.close()]);
  });
});

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccessToken } from 'livekit-server-sdk';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSfu, type Sfu } from './index.ts';

const api_key = 'test-key';
const api_secret = 'test-secret-of-at-least-thirty-two-bytes';
const EXECUTABLE = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const missing = existsSync(EXECUTABLE) ? undefined : `Chromium at ${EXECUTABLE}`;
if (missing) process.stderr.write(`sfu/browser.test.ts is skipped without ${missing}\n`);

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
];

/** Runs in the page: joins a room and keeps what the tests look at in `window`. */
const PAGE_SCRIPT = `
window.start = async (url, token) => {
  const { Room, RoomEvent, VideoPresets } = LivekitClient;
  const room = new Room({ publishDefaults: { simulcast: true, videoCodec: 'vp8' }, videoCaptureDefaults: { resolution: VideoPresets.h720.resolution } });
  window.room = room;
  window.events = [];
  room.on(RoomEvent.TrackSubscribed, (track) => {
    const element = track.attach();
    element.dataset.sid = track.sid;
    document.body.append(element);
  });
  room.on(RoomEvent.TrackUnsubscribed, (track) => track.detach().forEach((e) => e.remove()));
  for (const name of ['TrackMuted', 'TrackUnmuted', 'Reconnecting', 'SignalReconnecting', 'Reconnected', 'ParticipantDisconnected'])
    room.on(RoomEvent[name], () => window.events.push(name));
  room.on(RoomEvent.DataReceived, (payload, from) => window.events.push('data:' + from?.identity + ':' + new TextDecoder().decode(payload)));
  await room.connect(url, token);
};
window.publishScreen = async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 400 });
  const context = canvas.getContext('2d');
  setInterval(() => { context.fillStyle = '#' + Math.random().toString(16).slice(2, 8); context.fillRect(0, 0, 640, 400); }, 50);
  await room.localParticipant.publishTrack(canvas.captureStream(20).getVideoTracks()[0], { source: 'screen_share', simulcast: true });
};
window.inbound = async (source) => {
  for (const participant of room.remoteParticipants.values()) {
    const track = participant.getTrackPublication(source)?.track;
    const report = await track?.getRTCStatsReport();
    for (const stat of report?.values() ?? []) if (stat.type === 'inbound-rtp') return { frames: stat.framesDecoded, width: stat.frameWidth, energy: stat.totalAudioEnergy, packets: stat.packetsReceived };
  }
  return {};
};
`;

type Inbound = { frames?: number; width?: number; energy?: number; packets?: number };

describe.skipIf(missing !== undefined)(`two pages in Chromium${missing ? ` (skipped without ${missing})` : ''}`, () => {
  let sfu: Sfu;
  let pages: Server;
  let page_url = '';
  let profile = '';
  let context: BrowserContext;
  const children = new Set<ChildProcess>();

  beforeAll(async () => {
    sfu = await startSfu({ host: '127.0.0.1', port: 0, api_key, api_secret });
    const bundle = await readFile(createRequire(import.meta.url).resolve('livekit-client'));
    pages = createServer((request, response) => {
      const is_script = request.url === '/client.js';
      response.setHeader('content-type', is_script ? 'text/javascript' : 'text/html');
      response.end(
        is_script ? bundle : `<body><script src="/client.js"></script><script>${PAGE_SCRIPT}</script></body>`,
      );
    });
    await new Promise<void>((resolve) => {
      pages.listen(0, '127.0.0.1', resolve);
    });
    page_url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
    profile = await mkdtemp(join(tmpdir(), 'sfu-browser-'));
    context = await chromium.launchPersistentContext(profile, {
      executablePath: EXECUTABLE,
      args: FLAGS,
      headless: true,
    });
  }, 60_000);

  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await context?.close();
    await sfu?.close();
    pages?.close();
    await rm(profile, { recursive: true, force: true });
  });

  /** Runs the server as a process of its own, and answers with its address when it is ready. */
  async function spawnServer(port: number): Promise<{ child: ChildProcess; url: string }> {
    const env = { ...process.env, SFU_PORT: String(port), SFU_API_KEY: api_key, SFU_API_SECRET: api_secret };
    const main = join(import.meta.dirname, 'main.ts');
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.add(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, url: (JSON.parse(line.toString()) as { url: string }).url };
  }

  async function join_as(identity: string, room: string, url = sfu.url): Promise<Page> {
    const page = await context.newPage();
    await page.goto(page_url);
    const token = new AccessToken(api_key, api_secret, { identity });
    token.addGrant({ roomJoin: true, room });
    await page.evaluate(`start(${JSON.stringify(url)}, ${JSON.stringify(await token.toJwt())})`);
    return page;
  }

  const poll = async (what: string, read: () => Promise<boolean>, within_ms = 20_000) => {
    const deadline = performance.now() + within_ms;
    while (!(await read())) {
      if (performance.now() > deadline) throw new Error(`waited ${within_ms} ms for: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const inbound = (page: Page, source: string) =>
    page.evaluate(`inbound(${JSON.stringify(source)})`) as Promise<Inbound>;
  const seen = async (page: Page, event: string) => ((await page.evaluate('events')) as string[]).includes(event);

  test('sound, simulcast camera in the asked layer, screen beside it, mute, data, leave', async () => {
    const [a, b] = [await join_as('alice', 'browser'), await join_as('bob', 'browser')];
    await a.evaluate('room.localParticipant.enableCameraAndMicrophone()');
    await poll('decoded frames', async () => ((await inbound(b, 'camera')).frames ?? 0) > 10);
    await poll('sound', async () => ((await inbound(b, 'microphone')).energy ?? 0) > 0.0001);
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
    await poll('the camera to go on', async () => ((await inbound(b, 'camera')).frames ?? 0) > camera_frames + 20);
    await poll('the camera in its high layer', async () => (await inbound(b, 'camera')).width === 1280);

    await a.evaluate('room.localParticipant.setMicrophoneEnabled(false)');
    await poll('mute', () => seen(b, 'TrackMuted'));
    await a.evaluate('room.localParticipant.setMicrophoneEnabled(true)');
    await poll('unmute', () => seen(b, 'TrackUnmuted'));
    await b.evaluate(`room.localParticipant.publishData(new TextEncoder().encode('hi'), { reliable: false })`);
    await poll('lossy data', () => seen(a, 'data:bob:hi'));
    await a.close();
    await poll('alice to be gone', () => seen(b, 'ParticipantDisconnected'));
    await b.close();
  }, 90_000);

  test('a cut socket is resumed without a new join, and after a kill -9 the server is found again', async () => {
    const first = await spawnServer(0);
    const [a, b] = [await join_as('alice', 'resume', first.url), await join_as('bob', 'resume', first.url)];
    await a.evaluate('room.localParticipant.setMicrophoneEnabled(true)');
    await poll('sound', async () => ((await inbound(b, 'microphone')).energy ?? 0) > 0.0001);
    const readSid = (page: Page) => page.evaluate('room.localParticipant.sid') as Promise<string>;
    const [sid, sid_of_b] = [await readSid(a), await readSid(b)];
    await a.evaluate('room.simulateScenario("signal-reconnect")');
    await poll('resumption', () => seen(a, 'Reconnected'));
    expect(await readSid(a)).toBe(sid);
    const packets = (await inbound(b, 'microphone')).packets ?? 0;
    await poll('sound goes on', async () => ((await inbound(b, 'microphone')).packets ?? 0) > packets + 50);

    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    await spawnServer(Number(new URL(first.url).port));
    const isBack = async (page: Page, old_sid: string) =>
      (await page.evaluate('room.state')) === 'connected' && (await readSid(page)) !== old_sid;
    await poll('both to be back', async () => (await isBack(a, sid)) && (await isBack(b, sid_of_b)), 40_000);
    await poll('sound after the restart', async () => ((await inbound(b, 'microphone')).packets ?? 0) > 50, 40_000);
    await Promise.all([a.close(), b.close()]);
  }, 120_000);
});

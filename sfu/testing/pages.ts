/** Pages in a real Chromium with one client of LiveKit's browser SDK each. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccessToken } from 'livekit-server-sdk';
import { chromium, type Page } from 'playwright-core';

/** The path of Chromium. */
export const executable = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const shell = '/usr/bin/chromium-headless-shell';
/**
 * Where it is installed, Chromium's headless shell: it uses a quarter less of the processor, and has no notifications.
 * Otherwise Chromium.
 */
export const light_executable = process.env['CHROMIUM_PATH'] === undefined && existsSync(shell) ? shell : executable;
/** What is missing when Chromium is not installed; undefined when it is. */
export const missing_browser = existsSync(executable) ? undefined : `Chromium at ${executable}`;

/** The flags of Chromium for calls: a fake camera and microphone, and no prompts or updates. */
export const media_flags = [
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

/** Runs in the page: joins a room, and stores what the tests read in `window`. */
const PAGE_SCRIPT = `
window.start = async (url, token, { rtc_config, room_options }) => {
  const { Room, RoomEvent, VideoPresets } = LivekitClient;
  const room = new Room({ ...room_options, publishDefaults: { simulcast: true, videoCodec: 'vp8' }, videoCaptureDefaults: { resolution: VideoPresets.h720.resolution } });
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
  await room.connect(url, token, { rtcConfig: rtc_config });
};
window.publishScreen = async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 400 });
  const context = canvas.getContext('2d');
  setInterval(() => { context.fillStyle = '#' + Math.random().toString(16).slice(2, 8); context.fillRect(0, 0, 640, 400); }, 50);
  await room.localParticipant.publishTrack(canvas.captureStream(20).getVideoTracks()[0], { source: 'screen_share', simulcast: true });
};
const restored = ({ packetsReceived: packets = 0, packetsDiscarded: discarded = 0, fecPacketsReceived: fec = 0, fecPacketsDiscarded: unused = 0 }) =>
  fec - unused + (discarded > packets / 2 ? packets - discarded : 0);
window.inbound = async (source) => {
  for (const participant of room.remoteParticipants.values()) {
    const track = participant.getTrackPublication(source)?.track;
    const report = await track?.getRTCStatsReport();
    for (const stat of report?.values() ?? []) if (stat.type === 'inbound-rtp') return { frames: stat.framesDecoded, width: stat.frameWidth, energy: stat.totalAudioEnergy, packets: stat.packetsReceived, concealed: stat.concealedSamples, samples: stat.totalSamplesReceived, nacks: stat.nackCount, picture_losses: stat.pliCount, lost: stat.packetsLost, redundant: Math.max(stat.fecPacketsReceived ?? 0, stat.packetsDiscarded ?? 0), restored: restored(stat) };
  }
  return {};
};
window.activeLayers = async () => {
  const report = await room.localParticipant.getTrackPublication('camera').track.sender.getStats();
  return [...report.values()].filter((stat) => stat.type === 'outbound-rtp' && stat.active).map((stat) => stat.rid).sort();
};
window.selectedWay = async (source) => {
  for (const participant of room.remoteParticipants.values()) {
    const report = await participant.getTrackPublication(source)?.track?.getRTCStatsReport();
    for (const stat of report?.values() ?? []) if (stat.type === 'candidate-pair' && stat.nominated && stat.state === 'succeeded') return report.get(stat.localCandidateId);
  }
};
`;

/** What a page has received of one source, by its statistics (W3C webrtc-stats, inbound-rtp). */
export type Inbound = {
  frames?: number;
  width?: number;
  energy?: number;
  packets?: number;
  concealed?: number;
  samples?: number;
  nacks?: number;
  picture_losses?: number;
  /** Packets that were missing when the next ones arrived. */
  lost?: number;
  /** Redundant audio blocks that arrived, about one for each packet with RED. */
  redundant?: number;
  /**
   * Lost packets whose audio was decoded from a redundant block. Chromium counts FEC of Opus as FEC; blocks of RED too
   * in some versions, while others count of them only those that were discarded.
   */
  restored?: number;
};

/** Options of the client's connection (RTCConfiguration) and of its room (LiveKit's RoomOptions). */
export type PageOptions = { rtc_config?: object; room_options?: object };

/** A running browser. */
export type Pages = {
  /** Opens a page whose client joins a room. */
  join(identity: string, room: string, url: string, options?: PageOptions): Promise<Page>;
  /** Suspends the whole browser like a machine that sleeps, and resumes it. Linux only. */
  sleep(): void;
  wake(): void;
  close(): Promise<void>;
};

/** Starts the browser. Tokens are signed with the key. */
export async function openPages(key: { api_key: string; api_secret: string }): Promise<Pages> {
  const bundle = await readFile(createRequire(import.meta.url).resolve('livekit-client'));
  const server = createServer((request, response) => {
    const is_script = request.url === '/client.js';
    response.setHeader('content-type', is_script ? 'text/javascript' : 'text/html');
    response.end(is_script ? bundle : `<body><script src="/client.js"></script><script>${PAGE_SCRIPT}</script></body>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const page_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const profile = await mkdtemp(join(tmpdir(), 'sfu-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executable,
    headless: true,
    args: media_flags,
  });
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        // Every process of a browser names its profile, or descends from one that does.
        if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(profile)) process.kill(Number(pid), name);
      } catch {
        // The process has ended in the meantime.
      }
    }
  };
  return {
    sleep: () => signal('SIGSTOP'),
    wake: () => signal('SIGCONT'),
    async join(identity, room, url, options = {}) {
      const page = await context.newPage();
      await page.goto(page_url);
      const token = new AccessToken(key.api_key, key.api_secret, { identity });
      token.addGrant({ roomJoin: true, roomCreate: true, room });
      const given = [url, await token.toJwt(), options].map((value) => JSON.stringify(value));
      await page.evaluate(`start(${given.join()})`);
      return page;
    },
    async close() {
      await context.close();
      server.close().closeAllConnections();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Waits until a condition of a page is true. @throws Error after `within_ms` with the name of the condition */
export async function poll(what: string, read: () => Promise<boolean>, within_ms = 40_000): Promise<void> {
  const deadline = performance.now() + within_ms;
  while (!(await read())) {
    if (performance.now() > deadline) throw new Error(`waited ${within_ms} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What a page has received of a source (`camera`, `microphone`, `screen_share`) of the other participant. */
export const inbound = (page: Page, source: string): Promise<Inbound> =>
  page.evaluate(`inbound(${JSON.stringify(source)})`) as Promise<Inbound>;

/** Whether the client of a page has emitted an event. */
export const seen = async (page: Page, event: string): Promise<boolean> =>
  ((await page.evaluate('events')) as string[]).includes(event);

/**
 * A page in a real Firefox with one client of LiveKit's browser SDK. It needs no driver: it reads its parameters from
 * its address, and reports to its server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const EXECUTABLE = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr';
/** What is missing when Firefox is not installed; undefined when it is. */
export const missing_firefox = existsSync(EXECUTABLE) ? undefined : `Firefox at ${EXECUTABLE}`;

const PREFERENCES = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.enabled': false,
  'network.captive-portal-service.enabled': false,
  'browser.safebrowsing.downloads.remote.enabled': false,
};

const PAGE = `<body><script src="/client.js"></script><script>
const query = new URLSearchParams(location.search);
const report = (line) => fetch('/report', { method: 'POST', body: JSON.stringify(line) });
(async () => {
  const room = new LivekitClient.Room({ publishDefaults: { simulcast: true, videoCodec: 'vp8' } });
  room.on('trackSubscribed', (track) => document.body.append(track.attach()));
  room.on('dataReceived', (payload, from) => report({ data: from?.identity + ':' + new TextDecoder().decode(payload) }));
  await room.connect(query.get('url'), query.get('token'));
  await room.localParticipant.enableCameraAndMicrophone();
  await room.localParticipant.publishData(new TextEncoder().encode('hello'), { reliable: true });
  setInterval(async () => {
    const line = {};
    for (const participant of room.remoteParticipants.values())
      for (const source of ['microphone', 'camera']) {
        const stats = await participant.getTrackPublication(source)?.track?.getRTCStatsReport();
        for (const stat of stats?.values() ?? [])
          if (stat.type === 'inbound-rtp') line[source] = { packets: stat.packetsReceived, frames: stat.framesDecoded, energy: stat.totalAudioEnergy };
      }
    report(line);
  }, 250);
})().catch((error) => report({ error: String(error) }));
</script>`;

/** What the page has received so far; `data` is the text of the last data message. */
export type FirefoxReport = {
  error?: string;
  data?: string;
  microphone?: { packets?: number; energy?: number };
  camera?: { packets?: number; frames?: number };
};

/** Opens Firefox on a page that joins a room, publishes and sends `hello`. `reports` grows with those of the page. */
export async function openFirefox(
  url: string,
  token: string,
): Promise<{ reports: FirefoxReport[]; close(): Promise<void> }> {
  const bundle = await readFile(createRequire(import.meta.url).resolve('livekit-client'));
  const reports: FirefoxReport[] = [];
  const server = createServer((request, response) => {
    const answer = async () => {
      if (request.url === '/report') reports.push(JSON.parse(await text(request)) as FirefoxReport);
      const is_script = request.url === '/client.js';
      response.setHeader('content-type', is_script ? 'text/javascript' : 'text/html');
      response.end(is_script ? bundle : PAGE);
    };
    void answer();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const profile = await mkdtemp(join(tmpdir(), 'sfu-firefox-'));
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${value});`);
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?${new URLSearchParams({ url, token })}`;
  const args = ['--headless', '--no-remote', '--profile', profile, page];
  // Leads a separate process group, so that its content processes end with it.
  const child = spawn(EXECUTABLE, args, { stdio: 'ignore', detached: true, env: { ...process.env, HOME: profile } });
  return {
    reports,
    async close() {
      const ended = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
      server.close().closeAllConnections();
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

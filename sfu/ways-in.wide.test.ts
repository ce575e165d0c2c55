import { spawn, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../server/app/config/config.ts';
import { checkRelays, checkTranslation } from '../tools/doctor/checks.ts';
import { askAddress } from '../tools/doctor/stun-probe.ts';
import { startSfu, type Sfu } from './index.ts';
import { startNetworkPath } from './testing/network-path.ts';
import { inbound, missing_browser, openPages, poll, type Pages } from './testing/pages.ts';
import { createIceServers } from './signal/turn.ts';
import { describeUnlessMissing, itUnlessMissing } from '../testing/skip.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };
const TURN_SERVER = '/usr/bin/turnserver';
const SECRET = 'shared-with-the-relay';

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

/** Starts coturn on loopback, which accepts the credentials of `createIceServers`. */
function startRelay(port: number): ChildProcess {
  const own = [
    '--listening-ip=127.0.0.1',
    '--relay-ip=127.0.0.1',
    `--listening-port=${port}`,
    '--allow-loopback-peers',
  ];
  const secret = ['--use-auth-secret', `--static-auth-secret=${SECRET}`, '--realm=test'];
  const quiet = ['-n', '--no-tls', '--no-dtls', '--no-cli', '--log-file=stdout', '--simple-log', '--pidfile=/dev/null'];
  return spawn(TURN_SERVER, [...own, ...secret, ...quiet], { stdio: 'ignore' });
}

describeUnlessMissing(missing_browser, 'connections from networks that block UDP', () => {
  let pages: Pages;
  let sfu: Sfu | undefined;
  let relay: ChildProcess | undefined;
  beforeAll(async () => {
    pages = await openPages(key);
  });
  afterEach(async () => {
    relay?.kill('SIGKILL');
    await sfu?.close();
    sfu = undefined;
  });
  afterAll(() => pages.close());

  const awaitAudio = async (page: Page) =>
    poll('audio', async () => ((await inbound(page, 'microphone')).energy ?? 0) > 0.001, 40_000);

  test('media use TCP when every datagram is lost', async () => {
    sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key, tcp_port: 0 });
    const path = await startNetworkPath(sfu.url);
    path.conditions.loss = 1;
    const alice = await pages.join('alice', 'over-tcp', path.url);
    const bob = await pages.join('bob', 'over-tcp', sfu.url);
    await alice.evaluate('room.localParticipant.enableCameraAndMicrophone()');
    await bob.evaluate('room.localParticipant.setMicrophoneEnabled(true)');
    await Promise.all([awaitAudio(alice), awaitAudio(bob)]);
    await poll('video', async () => ((await inbound(bob, 'camera')).frames ?? 0) > 30, 30_000);
    expect(path.counts.passed).toBe(0);
    expect(await alice.evaluate('selectedWay("microphone")')).toMatchObject({ protocol: 'tcp' });
    await Promise.all([alice.close(), bob.close()]);
    await path.close();
  });

  itUnlessMissing(
    existsSync(TURN_SERVER) ? undefined : 'coturn',
    'media use coturn with expiring credentials',
    async () => {
      const port = await freeUdpPort();
      relay = startRelay(port);
      await poll('the relay', async () => (await askAddress('127.0.0.1', port)) !== undefined);
      const urls = [`turn:127.0.0.1:${port}?transport=udp`];
      sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key, iceServersFor: createIceServers(urls, SECRET) });
      const alice = await pages.join('alice', 'relayed', sfu.url, { rtc_config: { iceTransportPolicy: 'relay' } });
      const bob = await pages.join('bob', 'relayed', sfu.url);
      await bob.evaluate('room.localParticipant.setMicrophoneEnabled(true)');
      await awaitAudio(alice);
      expect(await alice.evaluate('selectedWay("microphone")')).toMatchObject({ candidateType: 'relay' });
      await Promise.all([alice.close(), bob.close()]);

      // The check for operators succeeds, and fails with a wrong secret.
      const examine = (secret: string) =>
        checkRelays(readConfig({ PATH: '', TURN_URLS: urls.join(), TURN_SECRET: secret }, '/'));
      expect(await examine(SECRET)).toMatchObject([{ level: 'ok' }]);
      expect(await examine('another')).toMatchObject([{ level: 'fail', text: expect.stringContaining('401') }]);
      const config = readConfig({ PATH: '', TURN_URLS: `stun:127.0.0.1:${port}` }, '/');
      expect(await checkTranslation(config)).toMatchObject([
        { level: 'ok', text: expect.stringContaining('127.0.0.1') },
      ]);
    },
    120_000,
  );
});

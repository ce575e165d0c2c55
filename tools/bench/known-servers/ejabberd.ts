/** ejabberd, as Debian packages it: messages between accounts that are online, each stored in the archive (XEP-0313). */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuOf, freePort, listens } from '../measure.ts';
import { waitUntilReady, stop, type Child } from '../subjects.ts';
import { connectXmpp, type XmppClient } from './xmpp.ts';

/** A running server of messages. */
export type MessageServer = {
  version: string;
  /** CPU milliseconds of the server for each message, while `pairs` pairs each send the next one on delivery. */
  costOfMessage(duration_ms: number): Promise<number>;
  close(): Promise<void>;
};

const libraries = '/usr/lib/x86_64-linux-gnu';

/** @param pairs how many pairs of accounts send messages at once */
export async function startEjabberd(pairs: number): Promise<MessageServer | undefined> {
  const installed = existsSync(libraries)
    ? readdirSync(libraries).find((name) => /^ejabberd-[\d.]+$/.test(name))
    : undefined;
  if (!installed) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'asterism-ejabberd-'));
  const server = await launch(folder);
  const remove = async () => {
    await stop(server);
    rmSync(folder, { recursive: true, force: true });
  };
  const connecting = Promise.all(Array.from({ length: pairs }, (_, at) => connectPair(server.port, at)));
  const connected = await connecting.catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    version: installed.replace('-', ' '),
    async costOfMessage(duration_ms) {
      const before_ms = cpuOf(server.pid);
      const until_ms = performance.now() + duration_ms;
      const counts = await Promise.all(connected.map((pair) => pair.exchange(until_ms)));
      return (cpuOf(server.pid) - before_ms) / counts.reduce((sum, count) => sum + count, 0);
    },
    async close() {
      for (const pair of connected) pair.close();
      await remove();
    },
  };
}

async function launch(folder: string): Promise<Child> {
  const port = await freePort();
  const configuration = join(folder, 'ejabberd.yml');
  // JSON is YAML.
  const settings = {
    hosts: ['localhost'],
    loglevel: 'error',
    auth_method: 'internal',
    registration_timeout: 'infinity',
    listen: [{ port, ip: '127.0.0.1', module: 'ejabberd_c2s', access: 'all' }],
    modules: {
      mod_register: { ip_access: 'all', access_from: 'all' },
      mod_mam: { default: 'always' },
      mod_offline: {},
      mod_roster: {},
    },
  };
  writeFileSync(configuration, JSON.stringify(settings));
  const started_ms = performance.now();
  const args = ['-noinput', '+K', 'true', '-mnesia', 'dir', `"${join(folder, 'spool')}"`, '-s', 'ejabberd'];
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    ERL_LIBS: libraries,
    EJABBERD_CONFIG_PATH: configuration,
    EJABBERD_LOG_PATH: join(folder, 'ejabberd.log'),
  };
  const child = spawn('erl', args, { env, stdio: 'ignore' });
  return waitUntilReady(child, port, started_ms, () => listens(port));
}

async function connectPair(port: number, at: number) {
  const [sender, receiver] = await Promise.all([connectXmpp(port, `a${at}`), connectXmpp(port, `b${at}`)]);
  let received = () => {};
  receiver.onMessage(() => received());
  return {
    exchange: (until_ms: number) => exchange(sender, `b${at}`, until_ms, (listener) => (received = listener)),
    close() {
      sender.close();
      receiver.close();
    },
  };
}

/** Sends the next message as soon as the last one was delivered; resolves to their number. */
function exchange(
  sender: XmppClient,
  to: string,
  until_ms: number,
  onDelivered: (listener: () => void) => void,
): Promise<number> {
  return new Promise((resolve) => {
    let count = 0;
    const next = () => sender.send(to, `Message ${count}`);
    onDelivered(() => {
      count += 1;
      if (performance.now() < until_ms) next();
      else resolve(count);
    });
    next();
  });
}

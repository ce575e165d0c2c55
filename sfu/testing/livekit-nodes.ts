/** Real LiveKit servers of a test, which form a cluster through Redis and end when the test ends them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const binary = join(import.meta.dirname, '..', '..', '.cache', 'bin', 'livekit-server');

/** Whether LiveKit's server has been built (`.ci/run` does it). */
export const hasLiveKit = (): boolean => existsSync(binary);

/** A running LiveKit server. */
export type LiveKitNode = {
  /** Its identifier in the cluster, as in Redis. */
  node_id: string;
  port: number;
  isAlive(): boolean;
  /** Ends it without warning, like a power failure. */
  kill(): Promise<void>;
};

/** The configuration of a node. */
export type LiveKitNodeOptions = {
  /** The ports for HTTP and websockets, and for media, both on 127.0.0.1. */
  port: number;
  udp_port: number;
  /** The Redis that the nodes of a cluster share: `HOST:PORT`, and the number of a database. None for one node alone. */
  redis?: { address: string; db: number };
  api_key: string;
  api_secret: string;
  /** Where it sends its webhooks. */
  webhook_url: string;
};

/** Starts one node and waits until it accepts requests. @throws Error with its last line of output when it fails */
export async function startLiveKitNode(options: LiveKitNodeOptions): Promise<LiveKitNode> {
  const child = spawn(binary, ['--config-body', JSON.stringify(nodeConfig(options))], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const node_id = await awaitStart(child);
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    node_id,
    port: options.port,
    isAlive,
    async kill() {
      if (!isAlive()) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

type LocalOptions = Pick<LiveKitNodeOptions, 'port' | 'udp_port' | 'api_key' | 'api_secret'>;

/**
 * The configuration of a LiveKit server for clients on this machine, as an object: the server reads YAML, and JSON is a
 * subset of that (YAML 1.2, 1.3). Without a local STUN server it would use external ones.
 */
export function localConfig({ port, udp_port, api_key, api_secret }: LocalOptions) {
  return {
    port,
    bind_addresses: ['127.0.0.1'],
    rtc: {
      tcp_port: 0,
      udp_port,
      node_ip: '127.0.0.1',
      use_external_ip: false,
      enable_loopback_candidate: true,
      interfaces: { includes: ['lo'] },
      stun_servers: ['127.0.0.1:3478'],
    },
    keys: { [api_key]: api_secret },
  };
}

function nodeConfig({ redis, webhook_url, ...local }: LiveKitNodeOptions) {
  return {
    ...localConfig(local),
    ...(redis && { redis }),
    room: { auto_create: false },
    webhook: { api_key: local.api_key, urls: [webhook_url] },
    logging: { json: true, level: 'info' },
  };
}

/** Reads the log until the server listens, and discards the rest. */
async function awaitStart(child: ChildProcess): Promise<string> {
  let last_line = '';
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    last_line = line;
    const node_id = /starting LiveKit server.*"nodeID":\s*"(ND_\w+)"/.exec(line)?.[1];
    if (!node_id) continue;
    child.stderr?.resume();
    return node_id;
  }
  throw new Error(`LiveKit did not start: ${last_line}`);
}

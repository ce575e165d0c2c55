import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuOf, freePort, residentOf } from './measure.ts';
import { localConfig } from '../../sfu/testing/livekit-nodes.ts';

/**
 * Compares the embedded media server with a real LiveKit, in alternating rounds with the same clients: N people in a
 * room, some or all publishing audio, and all subscribed to all others.
 *
 *   npm run bench:sfu -- --people 10 --seconds 12 --rounds 3
 *   npm run bench:sfu -- --people 50 --talking 4
 *   npm run bench:sfu -- --embedded --rooms 2 --threads 2
 *
 * Each server runs in a separate process, whose CPU time includes all threads, so that the clients are not counted.
 * LiveKit is `.cache/bin/livekit-server`, which `.ci/run` builds; without it, only the embedded server is measured.
 */
const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '12' },
    rounds: { type: 'string', default: '3' },
    talking: { type: 'string' },
    rooms: { type: 'string', default: '1' },
    threads: { type: 'string', default: '1' },
    embedded: { type: 'boolean', default: false },
  },
});
const api_key = 'bench';
const api_secret = 'bench-secret-of-at-least-thirty-two-bytes';
const here = import.meta.dirname;
const livekit_binary = join(here, '..', '..', '.cache', 'bin', 'livekit-server');

const people = Number(values.people);
const rooms = Number(values.rooms);
const talking = Number(values.talking ?? values.people);
/**
 * Opus sends a packet every 20 ms, and everybody in a room receives those of all others; this count is the same for
 * both servers.
 */
const packets_per_s = rooms * talking * (people - 1) * 50;

type Line = Record<string, unknown>;
type Server = { process: ChildProcess; url: string };
type Round = { cpu_percent_of_a_core: number; cpu_us_per_packet: number; resident_mb: number };

/** Waits for a matching line of JSON; fails when the process exits or 60 s have passed. */
async function readLine<T>(child: ChildProcess, fits: (line: Line) => boolean): Promise<T> {
  if (!child.stdout) throw new Error('the process has no output');
  const lines = createInterface({ input: child.stdout });
  const ended = AbortSignal.timeout(60_000);
  return new Promise<T>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a process ended early with ${code}`)));
    ended.addEventListener('abort', () => reject(new Error('waited 60 s in vain')));
    lines.on('line', (text) => {
      if (!text.startsWith('{')) return;
      const line = JSON.parse(text) as Line;
      if (!fits(line)) return;
      lines.close();
      resolve(line as T);
    });
  });
}

async function startEmbedded(): Promise<Server> {
  const server = spawn(process.execPath, [`${here}/../../sfu/main.ts`], {
    env: {
      ...process.env,
      SFU_THREADS: values.threads,
      SFU_PORT: '0',
      SFU_API_KEY: api_key,
      SFU_API_SECRET: api_secret,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { url } = await readLine<{ url: string }>(server, (line) => line['message'] === 'ready');
  return { process: server, url };
}

async function startLiveKit(): Promise<Server> {
  const [port, udp_port] = [await freePort(), await freePort()];
  const config = { ...localConfig({ port, udp_port, api_key, api_secret }), logging: { level: 'error' } };
  const server = spawn(livekit_binary, ['--config-body', JSON.stringify(config)], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (const end_ms = performance.now() + 20_000; ; await wait(50)) {
    if (await fetch(url).catch(() => undefined)) break;
    if (performance.now() > end_ms) throw new Error('LiveKit did not start within 20 s');
  }
  return { process: server, url };
}

async function measure(start: () => Promise<Server>): Promise<Round> {
  const server = await start();
  const pid = server.process.pid ?? 0;
  const counts = [values.people, api_key, api_secret, String(talking), values.rooms];
  const client_args = [`${here}/sfu-clients.ts`, server.url.replace('http', 'ws'), ...counts];
  const clients = spawn(process.execPath, client_args, { stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    await readLine(clients, (line) => line['bench'] === 'ready');
    // The first seconds are spent on compiling code and filling jitter buffers.
    await wait(3_000);
    const cpu_before_ms = cpuOf(pid);
    const started_at_ms = performance.now();
    await wait(Number(values.seconds) * 1000);
    const cpu_ms = cpuOf(pid) - cpu_before_ms;
    const seconds = (performance.now() - started_at_ms) / 1000;
    const packets = packets_per_s * seconds;
    return {
      cpu_percent_of_a_core: Number((cpu_ms / seconds / 10).toFixed(1)),
      cpu_us_per_packet: Number(((cpu_ms * 1000) / packets).toFixed(1)),
      resident_mb: Math.round(residentOf(pid) / 1e6),
    };
  } finally {
    clients.stdin.end();
    if (clients.exitCode === null) await Promise.race([once(clients, 'exit'), wait(5_000)]);
    clients.kill('SIGKILL');
    server.process.kill('SIGKILL');
  }
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const subjects: [string, () => Promise<Server>][] = [['embedded', startEmbedded]];
if (values.embedded) process.stdout.write('LiveKit is left out.\n');
else if (existsSync(livekit_binary)) subjects.push(['LiveKit', startLiveKit]);
else process.stdout.write('LiveKit is absent: .ci/run builds .cache/bin/livekit-server.\n');
const rounds = new Map<string, Round[]>(subjects.map(([name]) => [name, []]));
for (let round = 1; round <= Number(values.rounds); round++) {
  for (const [name, start] of subjects) {
    const result = await measure(start);
    rounds.get(name)?.push(result);
    process.stdout.write(`round ${round}, ${name}: ${JSON.stringify(result)}\n`);
  }
}
process.stdout.write(
  `${rooms} rooms of ${people} people, ${talking} talking, ${values.threads} threads: ${packets_per_s} packets a second out\n`,
);
const costs = [...rounds].map(([name, results]) => ({ name, cost_us: results.map((one) => one.cpu_us_per_packet) }));
for (const { name, cost_us } of costs)
  process.stdout.write(`${name}: ${median(cost_us)} µs of CPU a forwarded packet (median)\n`);
const [ours, theirs] = costs;
// The rounds of a pair follow each other, so that other load of the machine affects both.
const ratios = ours?.cost_us.map((cost, at) => cost / (theirs?.cost_us[at] ?? Number.NaN)) ?? [];
if (theirs)
  process.stdout.write(`embedded costs ${median(ratios).toFixed(2)} times LiveKit's (median of the rounds)\n`);
process.exit(0);

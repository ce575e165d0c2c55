import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

/**
 * Measures the embedded media server: N people in one room, all talking and all hearing all.
 *
 *   npm run bench:sfu -- --people 10 --seconds 20
 *
 * The server runs as a process of its own and reports its own CPU time, so that the clients' work is not counted.
 */
const { values } = parseArgs({
  options: { people: { type: 'string', default: '10' }, seconds: { type: 'string', default: '20' } },
});
const api_key = 'bench';
const api_secret = 'bench-secret-of-at-least-thirty-two-bytes';
const here = import.meta.dirname;

type Line = Record<string, unknown>;
type Stats = { packets_in: number; packets_out: number; cpu: { user: number; system: number }; rss_bytes: number };

/** Waits for a line of JSON that fits; fails when the process ends or 60 s pass. */
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

function readStats(server: ChildProcess): Promise<Stats> {
  const stats = readLine<Stats>(server, (line) => line['message'] === 'stats');
  server.kill('SIGUSR2');
  return stats;
}

const server = spawn(process.execPath, [`${here}/../../sfu/main.ts`], {
  env: { ...process.env, SFU_PORT: '0', SFU_API_KEY: api_key, SFU_API_SECRET: api_secret },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let clients: ChildProcess | undefined;
try {
  const { url } = await readLine<{ url: string }>(server, (line) => line['message'] === 'ready');
  const idle = await readStats(server);
  const client_args = [`${here}/sfu-clients.ts`, url.replace('http', 'ws'), values.people, api_key, api_secret];
  clients = spawn(process.execPath, client_args, { stdio: ['pipe', 'pipe', 'ignore'] });
  await readLine(clients, (line) => line['bench'] === 'ready');
  // The first seconds compile code and fill jitter buffers.
  await wait(3_000);
  const before = await readStats(server);
  const started_at_ms = performance.now();
  await wait(Number(values.seconds) * 1000);
  const after = await readStats(server);
  const seconds = (performance.now() - started_at_ms) / 1000;
  const cpu_us = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system;
  const packets_out = after.packets_out - before.packets_out;
  const result = {
    people: Number(values.people),
    seconds: Math.round(seconds),
    packets_in_per_s: Math.round((after.packets_in - before.packets_in) / seconds),
    packets_out_per_s: Math.round(packets_out / seconds),
    cpu_percent_of_a_core: Number((cpu_us / seconds / 10_000).toFixed(1)),
    cpu_us_per_packet_out: Number((cpu_us / packets_out).toFixed(1)),
    idle_mb: Math.round(idle.rss_bytes / 1e6),
    busy_mb: Math.round(after.rss_bytes / 1e6),
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  clients?.stdin?.end();
  if (clients && clients.exitCode === null) await Promise.race([once(clients, 'exit'), wait(5_000)]);
  clients?.kill('SIGKILL');
  server.kill('SIGKILL');
}

import { startSfu } from './index.ts';
import { createIceServers } from './signal/turn.ts';

/** Runs the media server as a stand-alone process, configured by environment variables. */
function requireVariable(name: string): string {
  const value = process.env[name];
  if (value) return value;
  process.stderr.write(`${name} is not set\n`);
  process.exit(2);
}

const write = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const { SFU_WEBHOOK_URL, SFU_NODE_IP, SFU_TCP_PORT, SFU_TURN_URLS, SFU_TURN_SECRET } = process.env;

// An unhandled rejection inside a library must not end all calls.
process.on('unhandledRejection', (error) =>
  write({ level: 'error', message: 'unhandled rejection', error: String(error) }),
);

const sfu = await startSfu({
  host: process.env['SFU_HOST'] ?? '127.0.0.1',
  port: Number(process.env['SFU_PORT'] ?? 7880),
  api_key: requireVariable('SFU_API_KEY'),
  api_secret: requireVariable('SFU_API_SECRET'),
  ...(SFU_WEBHOOK_URL && { webhook_url: SFU_WEBHOOK_URL }),
  ...(SFU_NODE_IP && { node_ip: SFU_NODE_IP }),
  udp_port: Number(process.env['SFU_UDP_PORT'] ?? 0),
  threads: Number(process.env['SFU_THREADS'] ?? 1),
  ...(SFU_TCP_PORT && { tcp_port: Number(SFU_TCP_PORT) }),
  ...(SFU_TURN_URLS && { iceServersFor: createIceServers(SFU_TURN_URLS.split(','), SFU_TURN_SECRET) }),
  log: write,
});

// For benchmarks: a line with the counters and the CPU time used so far, in microseconds.
process.on('SIGUSR2', () => {
  // With --expose-gc, garbage does not count.
  globalThis.gc?.();
  write({
    level: 'info',
    message: 'stats',
    ...sfu.stats(),
    cpu: process.cpuUsage(),
    rss_bytes: process.memoryUsage.rss(),
    heap_bytes: process.memoryUsage().heapUsed,
  });
});

let is_stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // The same message may arrive several times, from a supervisor that signals a whole group.
    if (is_stopping) return;
    is_stopping = true;
    void sfu.close().then(() => process.exit(0));
  });

// Last, so that signals are handled as soon as this line has been read.
write({ level: 'info', message: 'ready', url: sfu.url, pid: process.pid });

/**
 * Loaded before the service by `--import`: how long a turn of its event loop takes, in milliseconds of CPU, so that
 * other work on the machine does not count. The longest so far is in the file that LOOP_WATCH names.
 */
import { rmSync, writeFileSync } from 'node:fs';

const path = process.env['LOOP_WATCH'] ?? '';
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let before_ms = cpuMs();
let max_ms = 0;
setInterval(() => {
  const now_ms = cpuMs();
  const turn_ms = now_ms - before_ms;
  before_ms = now_ms;
  if (turn_ms <= max_ms) return;
  max_ms = turn_ms;
  writeFileSync(path, String(max_ms));
}, 1).unref();

process.on('SIGUSR2', () => {
  max_ms = 0;
  rmSync(path, { force: true });
});

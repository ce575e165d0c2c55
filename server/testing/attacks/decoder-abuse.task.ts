/** What a hostile input may cause a decoder process to do. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invalid } from '../../kernel/errors.ts';

/** What the process is to do with its privileges and its resources. */
export type Abuse =
  | 'echo'
  | 'pid'
  | 'heap'
  | 'memory'
  | 'endless'
  | 'kill'
  | 'throw'
  | 'refuse'
  | 'write'
  | 'spawn'
  | 'connect'
  | 'environment';

const acts: Record<Abuse, (value: unknown) => unknown> = {
  echo: (value) => value,
  pid: () => process.pid,
  heap() {
    const retained: unknown[] = [];
    for (;;) retained.push({ text: `${retained.length}` });
  },
  memory() {
    const retained: Buffer[] = [];
    for (;;) retained.push(Buffer.alloc(16 * 2 ** 20, 1));
  },
  endless() {
    for (;;);
  },
  kill: () => process.kill(process.pid, 'SIGKILL'),
  throw() {
    throw new TypeError('a decoder that fails');
  },
  refuse: () => invalid({ file: 'is refused by its task' }),
  write: () => writeFileSync(join(tmpdir(), 'asterism-decoder-escape'), ''),
  spawn: () => String(spawnSync('true').error),
  connect: () =>
    new Promise((resolve, reject) => {
      connect(9, '127.0.0.1').once('error', reject).once('connect', resolve);
    }),
  environment: () => Object.keys(process.env),
};

/** The task; most of its acts end the process or are refused. */
export function run({ abuse, value }: { abuse: Abuse; value?: unknown }): unknown {
  return acts[abuse](value);
}

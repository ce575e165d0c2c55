import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import type { Abuse } from '../../testing/attacks/decoder-abuse.task.ts';
import { createDecoder, type Decoder } from './decoder.ts';
import { default_limits, type Limits } from '../load/limits.ts';

const task = new URL('../../testing/attacks/decoder-abuse.task.ts', import.meta.url);

describe('a decoder', () => {
  const open: Decoder[] = [];
  const start = (limits: Partial<Limits> = {}) => {
    const decoder = createDecoder({ ...default_limits, ...limits });
    open.push(decoder);
    return (abuse: Abuse, value?: unknown) =>
      decoder.use('somebody', (decode) => decode<unknown>(task, { abuse, value }));
  };
  const pids = () => open.flatMap((decoder) => decoder.pids());
  afterEach(() => {
    for (const decoder of open.splice(0)) decoder.close();
  });
  const refusal = { code: 'validation_failed' };

  it('starts on first use, is reused, transfers bytes and exits when idle', async () => {
    const run = start({ decoding_idle_ms: 50 });
    expect(pids()).toEqual([]);
    const bytes = Buffer.alloc(3_000_000, 7);
    expect(await run('echo', { bytes })).toEqual({ bytes });
    const [pid] = pids();
    expect(await run('pid')).toBe(pid);
    await expect.poll(pids).toEqual([]);
    expect(await run('pid')).not.toBe(pid);
  });

  it.each([
    ['heap', 'takes too much memory to read', { decoding_heap_mb: 32 }],
    ['memory', 'takes too much memory to read', { decoding_memory_mb: 200 }],
    ['endless', 'takes too long to read', { decoding_ms: 300 }],
    ['throw', 'could not be read', {}],
    ['refuse', 'is refused by its task', {}],
  ] as const)('rejects input that exceeds its limits or crashes it, and continues: %s', async (abuse, file, limits) => {
    const run = start(limits);
    await expect(run(abuse)).rejects.toMatchObject({ ...refusal, fields: { file } });
    expect(await run('echo', 1)).toBe(1);
  });

  it('does not blame the input when a process is killed from outside', async () => {
    const run = start();
    await expect(run('kill')).rejects.toMatchObject({ code: 'unavailable', retry_after_s: 2 });
    const pid = await run('pid');
    const waiting = run('echo', 'kept');
    process.kill(pid as number, 'SIGKILL');
    expect(await waiting).toBe('kept');
  });

  it('holds no memory of its results', async () => {
    const run = start({ decoding_kept_mb: 1000 });
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const held_mb = () => {
      collect();
      return process.memoryUsage().arrayBuffers / 2 ** 20;
    };
    await run('echo', Buffer.alloc(1));
    const before_mb = held_mb();
    for (let times = 0; times < 20; times++) await run('echo', Buffer.alloc(4 * 2 ** 20));
    // The memory of a collected buffer is released by a separate thread, a little later.
    await expect.poll(() => held_mb() - before_mb, { timeout: 5000 }).toBeLessThan(20);
  });

  it('exits with its service, even when it is busy', async () => {
    const script = new URL('../../testing/attacks/decoder-orphan.ts', import.meta.url);
    const { stdout } = spawnSync(process.execPath, [fileURLToPath(script)], { encoding: 'utf8' });
    const pid = Number(stdout);
    expect(pid).toBeGreaterThan(0);
    const isAlive = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isAlive).toBe(false);
  });

  it('replaces a process that uses much memory after its work', async () => {
    const run = start({ decoding_kept_mb: 1 });
    const [first, second] = [await run('pid'), await run('pid')];
    expect(second).not.toBe(first);
  });

  it('may not write files, start programs or open connections, and has no environment variables', async () => {
    const run = start();
    for (const abuse of ['write', 'spawn', 'connect'] as const) {
      const outcome = await run(abuse).catch((error: Error) => String(error.cause));
      expect(outcome).toMatch(/ERR_ACCESS_DENIED|restricted/);
    }
    expect(await run('environment')).toEqual([]);
  });
});

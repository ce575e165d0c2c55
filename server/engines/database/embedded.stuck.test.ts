import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasServerProcesses, watchForStuck } from './embedded.stuck.ts';

describe('the processes of a server', () => {
  let proc_dir: string;
  beforeEach(() => {
    proc_dir = mkdtempSync(join(tmpdir(), 'asterism-proc-'));
  });
  afterEach(() => rmSync(proc_dir, { recursive: true }));

  const write = (titles: string[]) => {
    mkdirSync(join(proc_dir, '7/task/7'), { recursive: true });
    writeFileSync(join(proc_dir, '7/task/7/children'), titles.map((_, at) => `${at + 8} `).join(''));
    for (const [at, title] of titles.entries()) {
      mkdirSync(join(proc_dir, String(at + 8)), { recursive: true });
      writeFileSync(join(proc_dir, String(at + 8), 'cmdline'), title);
    }
  };

  it('show whether it starts or runs', () => {
    write(['postgres: checkpointer ', 'postgres: startup recovering 000000010000000000000003']);
    expect(hasServerProcesses(7, proc_dir)).toBe(true);
    write(['postgres: checkpointer ', 'postgres: walwriter ']);
    expect(hasServerProcesses(7, proc_dir)).toBe(true);
    write(['postgres: checkpointer ', 'postgres: background writer ']);
    expect(hasServerProcesses(7, proc_dir)).toBe(false);
    write([]);
    expect(hasServerProcesses(7, proc_dir)).toBe(false);
  });

  it('show nothing where they cannot be read', () => {
    expect(hasServerProcesses(7, proc_dir)).toBe(true);
  });
});

describe('a server that waits for a process that has ended', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const watch = (hasProcessesAt: (check: number) => boolean, is_refusing: boolean | Promise<boolean> = true) => {
    let check = 0;
    const onStuck = vi.fn();
    const stop = watchForStuck({
      hasServerProcesses: () => hasProcessesAt((check += 1)),
      isRefusing: () => Promise.resolve(is_refusing),
      onStuck,
    });
    return { onStuck, stop };
  };

  it('is noticed after ten seconds, once', async () => {
    const { onStuck } = watch(() => false);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(onStuck).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onStuck).toHaveBeenCalledTimes(1);
  });

  it('is not one that replays its log, however long, that accepts connections, or whose watch has ended', async () => {
    const one = watch((check) => check % 4 === 0);
    const other = watch(() => false, false);
    const ended = watch(() => false);
    ended.stop();
    await vi.advanceTimersByTimeAsync(600_000);
    for (const { onStuck } of [one, other, ended]) expect(onStuck).not.toHaveBeenCalled();
    one.stop();
    other.stop();
  });

  it('is not restarted when the watch ends while it is asked', async () => {
    const answer = Promise.withResolvers<boolean>();
    const { onStuck, stop } = watch(() => false, answer.promise);
    await vi.advanceTimersByTimeAsync(10_000);
    stop();
    answer.resolve(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onStuck).not.toHaveBeenCalled();
  });
});

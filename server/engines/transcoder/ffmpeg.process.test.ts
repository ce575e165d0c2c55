import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFfmpegTranscoder } from './ffmpeg.ts';

/** Tests the limits of the program with programs that misbehave; the output of ffmpeg is tested in the wide tests. */
describe('the limits of ffmpeg', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'asterism-ffmpeg-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const programOf = (name: string, lines: string[]) => {
    const program = join(folder, name);
    writeFileSync(program, ['#!/bin/sh', ...lines].join('\n'));
    chmodSync(program, 0o700);
    return program;
  };
  const bytes = Buffer.from('a video');

  it('reads one temporary file with one demuxer, without network and environment, and leaves no files behind', async () => {
    const notes = join(folder, 'notes');
    const program = programOf('tells', [`{ pwd; echo "$@"; cat in; echo; env; } > ${notes}`]);
    // The child cannot write to files.
    expect(await createFfmpegTranscoder({ program }).watch(bytes, 'video/mp4')).toBeUndefined();
    expect(existsSync(notes) ? readFileSync(notes, 'utf8') : '').toBe('');
    const loud = programOf('loud', ['{ pwd; echo "$@"; cat in; echo; env; } >&2', 'printf 1234']);
    const sample_counts: number[] = [];
    const log = { text: '' };
    const done = await createFfmpegTranscoder({ program: loud, onLog: (text) => (log.text = text) }).listen(
      bytes,
      'video/webm',
      (samples) => sample_counts.push(samples.length),
    );
    const [cwd = '', command = '', content, ...environment] = log.text.trim().split('\n');
    expect([done, sample_counts, content]).toEqual([true, [1], 'a video']);
    expect(command).toContain('-protocol_whitelist file -f matroska -i file:in');
    expect(existsSync(cwd)).toBe(false);
    expect(environment.filter((line) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line))).toEqual([]);
  });

  it('kills a process after the timeout, with its children', async () => {
    const marks = join(folder, 'pid');
    const program = programOf('slow', ['sleep 60 &', 'echo $! >&2', 'wait']);
    const transcoder = createFfmpegTranscoder({
      program,
      timeout_ms: 200,
      onLog: (text) => writeFileSync(marks, text),
    });
    expect(await transcoder.watch(bytes, 'video/mp4')).toBeUndefined();
    const pid = Number(readFileSync(marks, 'utf8'));
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => existsSync(`/proc/${pid}/exe`)).toBe(false);
  });

  it('kills a process that writes too much or uses too much memory, and handles a missing program', async () => {
    const endless = createFfmpegTranscoder({ program: programOf('endless', ['exec cat /dev/zero']) });
    expect(await endless.watch(bytes, 'video/mp4')).toBeUndefined();
    const program = programOf('greedy', [
      'v=$(head -c 80000000 /dev/zero | tr "\\0" x) || exit 1',
      'printf "%.40s" "$v"',
    ]);
    const succeeds = (memory_kib?: number) =>
      createFfmpegTranscoder({ program, ...(memory_kib ? { memory_kib } : {}) }).listen(
        bytes,
        'audio/mp4',
        () => undefined,
      );
    expect([await succeeds(), await succeeds(60_000)]).toEqual([true, false]);
    const absent = createFfmpegTranscoder({ program: join(folder, 'absent') });
    expect(await absent.listen(bytes, 'audio/mp4', () => undefined)).toBe(false);
    expect(await absent.watch(bytes, 'application/x-mpegurl')).toBeUndefined();
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
// @ts-expect-error -- plain JavaScript that an old Node can parse
import { capture, explain, isMusl, requireNode, requireParts, SetupError } from './setup.mjs';
import { slow } from '../testing/slow-tests.ts';

describe('setup', () => {
  it('rejects an old Node with instructions, and accepts newer versions', () => {
    const old = 'Node 18.20.8 is too old: install Node 20 or newer (https://nodejs.org), and run this again.';
    expect(() => requireNode('18.20.8')).toThrow(new SetupError(old));
    for (const version of ['20.0.0', '22.21.1', '24.11.1', '26.10.0']) requireNode(version);
  });

  it('recognises musl by the absence of a glibc version', () => {
    const report = (header: object) => ({ getReport: () => ({ header }) });
    expect(isMusl('linux', report({}))).toBe(true);
    expect(isMusl('linux', report({ glibcVersionRuntime: '2.36' }))).toBe(false);
    expect(isMusl('darwin', report({}))).toBe(false);
  });

  it('lists what a machine with musl has to provide', () => {
    requireParts(false, '20.19.5', undefined);
    requireParts(true, '26.10.0', 'postgresql://db.example/asterism');
    expect(() => requireParts(true, '24.11.1', 'postgresql://db.example/asterism')).toThrow(
      new SetupError(
        'No Node 26 comes with the dependencies for musl (Alpine): install Node 26 or newer, and run this again.',
      ),
    );
    expect(() => requireParts(true, '26.10.0', undefined)).toThrow(
      new SetupError(
        'No embedded PostgreSQL exists for musl (Alpine): set DATABASE_URL to a PostgreSQL server, version 15 or newer.',
      ),
    );
  });

  it('explains in one sentence a missing right to write, a full disk, and a missing npm', () => {
    const failure = (code: string, more: object) => Object.assign(new Error('raw'), { code, ...more });
    expect(explain(failure('EACCES', { path: '/srv/asterism' }))).toBe(
      "No right to write /srv/asterism: run this as the owner of the project's folder, or clone it to a folder of your own.",
    );
    expect(explain(failure('EROFS', { path: '/srv/asterism' }))).toContain('No right to write /srv/asterism:');
    expect(explain(failure('ENOSPC', {}))).toMatch(
      /^The disk that holds .+ is full: free some space and run this again\.$/,
    );
    expect(explain(failure('ENOENT', { syscall: 'spawn npm' }))).toBe(
      'npm was not found: install npm 10 or newer, and run this again.',
    );
    expect(explain(new TypeError('a defect'))).toContain('setup.test.ts');
  });

  it('ends the running step when it is stopped itself', slow, async () => {
    // The step prints its process id and would run for a minute.
    const step = 'console.log(process.pid); setTimeout(() => {}, 60_000)';
    const script = `import { capture } from ${JSON.stringify(new URL('./setup.mjs', import.meta.url).href)};
      const done = capture(process.execPath, ['-e', ${JSON.stringify(step)}], {});
      console.log('running');
      console.log((await done).code);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output).toBe('running\nstopped\n');
    expect((await capture(process.execPath, ['-e', 'process.exit(3)'], {})).code).toBe(3);
  });
});

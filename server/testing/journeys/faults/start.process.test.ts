import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { poll, prepareData, program_environment } from '../../running/running-service.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

type Run = { child: ChildProcess; output(): string; ended: Promise<[code: number | null, signal: string | null]> };

describe('starting and stopping', () => {
  let parent_dir: string;
  let data_dir: string;
  let run: Run | undefined;
  let other: Server | undefined;
  beforeEach(() => {
    parent_dir = mkdtempSync(join(tmpdir(), 'asterism start '));
    // PostgreSQL's account must reach the folder.
    chmodSync(parent_dir, 0o755);
    data_dir = join(parent_dir, 'data folder');
  });
  afterEach(async () => {
    run?.child.kill('SIGKILL');
    other?.close();
    for (const pid of databases()) {
      try {
        process.kill(pid, 'SIGQUIT');
      } catch {
        // It has ended by itself in the meantime.
      }
    }
    await poll(async () => databases().length === 0, 'the end of the database');
    rmSync(parent_dir, { recursive: true, force: true });
  });

  /** The database servers of this data folder, by the command lines of all processes. */
  const databases = (): number[] =>
    readdirSync('/proc')
      .filter((name) => /^[0-9]+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
      .filter((name) => {
        try {
          const [program = '', flag, folder = ''] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
          return program.endsWith('/postgres') && flag === '-D' && folder.startsWith(parent_dir);
        } catch {
          return false;
        }
      })
      .map(Number);

  const start = (
    environment: Record<string, string>,
    [command, ...args] = [process.execPath, 'server/main.ts'],
  ): Run => {
    const child = spawn(command ?? '', args, {
      cwd: root,
      env: { ...program_environment, DATA_DIR: data_dir, PORT: '0', MEDIA_PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, 'close') as Run['ended'];
    run = { child, output: () => output, ended };
    return run;
  };
  const lastLine = ({ output }: Run) => output().trim().split('\n').at(-1);
  const listen = async (): Promise<number> => {
    other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    return (other.address() as AddressInfo).port;
  };

  it.each(['PORT', 'MEDIA_PORT'])(
    'reports in one sentence that %s is in use, and leaves no database running',
    async (name) => {
      await prepareData(data_dir);
      const port = await listen();
      const refused = start({ [name]: String(port) });
      expect(await refused.ended).toEqual([1, null]);
      expect(lastLine(refused)).toBe(
        `Asterism cannot start. Port ${port} is taken: stop what listens there, or set PORT (and MEDIA_PORT, MEDIA_UDP_PORT, MEDIA_TCP_PORT) to free ones.`,
      );
      expect(databases()).toEqual([]);
    },
  );

  it('reports in one sentence, without a stack or a password, what is wrong with DATABASE_URL', async () => {
    const refused = start({ DATABASE_URL: 'postgresql://someone:a-secret@127.0.0.1:1/asterism' });
    expect(await refused.ended).toEqual([1, null]);
    expect(refused.output()).toMatch(
      /^Asterism cannot start\. PostgreSQL does not answer at postgresql:\/\/127\.0\.0\.1:1\/asterism \(.+\): check DATABASE_URL\.\n$/,
    );
    const garbled = start({ DATABASE_URL: 'mysql://127.0.0.1/asterism' });
    expect(await garbled.ended).toEqual([1, null]);
    expect(garbled.output()).toBe(
      'Asterism cannot start. DATABASE_URL must begin with postgres:// or postgresql://.\n',
    );
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('stops cleanly at %s, together with its database', async (signal) => {
    await prepareData(data_dir);
    const running = start({});
    await poll(async () => running.output().includes('"ready_ms"'), 'the service');
    expect(databases()).not.toEqual([]);
    running.child.kill(signal);
    expect(await running.ended).toEqual([0, null]);
    expect(databases()).toEqual([]);
  });

  it('continues after an error that a library leaves unhandled, and logs it', async () => {
    await prepareData(data_dir);
    const library = `process.on('SIGUSR2', () => void Promise.reject(new Error('left unhandled')))`;
    const running = start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(library)}` });
    await poll(async () => running.output().includes('"ready_ms"'), 'the service');
    running.child.kill('SIGUSR2');
    await poll(async () => running.output().includes('left unhandled'), 'the entry of the log');
    running.child.kill('SIGTERM');
    expect(await running.ended).toEqual([0, null]);
  });

  it('stops when a supervisor signals only npm', async () => {
    await prepareData(data_dir);
    const running = start({}, ['npm', 'start']);
    await poll(async () => running.output().includes('"ready_ms"'), 'the service');
    running.child.kill('SIGTERM');
    await running.ended;
    // npm's child shares its output, which is closed once both have ended.
    expect(databases()).toEqual([]);
  });

  it('stops cleanly on repeated signals, as from a supervisor that signals a whole group', async () => {
    await prepareData(data_dir);
    const running = start({});
    await poll(async () => running.output().includes('"ready_ms"'), 'the service');
    // Within a fifth of a second: a later signal counts as a second one, however long the stop takes.
    let signal_count = 0;
    const interval = setInterval(() => {
      if (signal_count++ < 40) running.child.kill('SIGTERM');
    }, 5);
    expect(await running.ended).toEqual([0, null]);
    clearInterval(interval);
    expect(databases()).toEqual([]);
  });

  it('stops cleanly while it is still starting', async () => {
    const running = start({});
    // The database's folder is being created.
    await poll(async () => running.output().includes('Creating the embedded database'), 'the first step');
    running.child.kill('SIGINT');
    expect(await running.ended).toEqual([0, null]);
    expect(databases()).toEqual([]);
    const again = start({});
    await poll(async () => again.output().includes('"ready_ms"'), 'the service');
    again.child.kill('SIGTERM');
    expect(await again.ended).toEqual([0, null]);
  });
});

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testDatabase } from '../../testing/contracts/database.contract.ts';
import { startEmbeddedDatabase } from './embedded.ts';
import { isRunning, readPidFile } from './embedded.processes.ts';
import { connectDatabase } from './server.ts';
import type { Database } from '../ports.ts';
import { itUnlessMissing } from '../../../testing/skip.ts';

describe('embedded database contract', () => {
  testDatabase(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'asterism-test-'));
    chmodSync(folder, 0o755);
    return {
      database: await startEmbeddedDatabase({ data_dir: join(folder, 'data'), log: () => undefined }),
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  });
});

describe('the embedded database', () => {
  let parent_dir: string;
  let data_dir: string;
  let lines: string[];
  const open: Database[] = [];
  const children: ChildProcess[] = [];

  beforeEach(() => {
    // PostgreSQL's account must reach the folder, which a private folder for temporary files may forbid.
    parent_dir = mkdtempSync(join(tmpdir(), 'asterism-test-'));
    chmodSync(parent_dir, 0o755);
    data_dir = join(parent_dir, 'data');
    lines = [];
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const database of open.splice(0)) await database.close();
    rmSync(parent_dir, { recursive: true, force: true });
  });

  async function start(): Promise<Database> {
    const database = await startEmbeddedDatabase({ data_dir, log: (line) => lines.push(line) });
    open.push(database);
    return database;
  }

  /** Starts another process that owns the folder, as a second service would. */
  async function startElsewhere(): Promise<{ child: ChildProcess; url: string }> {
    const launcher = new URL('./embedded.ts', import.meta.url).href;
    const script = `const { startEmbeddedDatabase } = await import(${JSON.stringify(launcher)});
      const database = await startEmbeddedDatabase({ data_dir: ${JSON.stringify(data_dir)}, log() {} });
      console.log(database.url);
      setInterval(() => {}, 1000);`;
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: [...stdio] });
    children.push(child);
    const [url] = (await once(createInterface(child.stdout!), 'line')) as [string];
    return { child, url };
  }

  async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(sql)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  }

  const clusterDir = async (url: string) => String((await query(url, 'SHOW data_directory'))[0]?.data_directory);

  it('keeps its data over a restart, opens no TCP port and sorts by code point', async () => {
    const first = await start();
    expect(await connectDatabase(first.url)).toMatchObject({ kind: 'server', url: first.url });
    await query(first.url, `CREATE TABLE kept AS SELECT 'it' AS word`);
    expect(await query(first.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(await query(first.url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    const sorted = await query(
      first.url,
      `SELECT word, lower(word) FROM unnest(ARRAY['b','É','a','B']) word ORDER BY word`,
    );
    expect(sorted.map((row) => row.lower)).toEqual(['b', 'a', 'b', 'é']);
    expect(statSync(data_dir).mode & 0o777).toBe(0o700);
    const cluster_dir = await clusterDir(first.url);
    expect(statSync(cluster_dir).mode & 0o777).toBe(0o700);
    await first.close();
    expect(existsSync(join(cluster_dir, 'postmaster.pid'))).toBe(false);

    const second = await start();
    expect(await query(second.url, 'SELECT word FROM kept')).toEqual([{ word: 'it' }]);
    expect(lines.filter((line) => line.startsWith('Creating'))).toHaveLength(1);
  });

  it('adopts the server that a killed process left running', async () => {
    const { child, url } = await startElsewhere();
    await query(url, `CREATE TABLE kept AS SELECT 1 AS one`);
    const before = readPidFile(await clusterDir(url));
    child.kill('SIGKILL');
    await once(child, 'exit');

    const database = await start();
    expect(lines.join()).toContain(`Adopted the database server that was left running (process ${before?.pid})`);
    expect(await query(database.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    await database.close();
    expect(isRunning(before!.pid)).toBe(false);
  });

  it('rejects a second start on the folder with one sentence, in another process and in this one', async () => {
    const { child } = await startElsewhere();
    const refusal = `The data folder ${data_dir} is in use by another Asterism (process ${child.pid}): stop that one, or set DATA_DIR to another folder.`;
    await expect(start()).rejects.toThrow(refusal);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await start();
    await expect(start()).rejects.toThrow(`in use by another Asterism (process ${process.pid})`);
  });

  it('recovers committed data after the server was killed', async () => {
    const { child, url } = await startElsewhere();
    const cluster_dir = await clusterDir(url);
    await query(url, `CREATE TABLE kept AS SELECT 2 AS two`);
    const before = readPidFile(cluster_dir);
    child.kill('SIGKILL');
    await once(child, 'exit');
    process.kill(before!.pid, 'SIGKILL');
    expect(existsSync(join(cluster_dir, 'postmaster.pid'))).toBe(true);

    const database = await start();
    expect(await query(database.url, 'SELECT two FROM kept')).toEqual([{ two: 2 }]);
    expect(readPidFile(cluster_dir)?.pid).not.toBe(before!.pid);
  });

  it('starts although the process id in a stale pid file now belongs to another program', async () => {
    const first = await start();
    const cluster_dir = await clusterDir(first.url);
    const { socket_dir } = readPidFile(cluster_dir)!;
    await first.close();
    // The process of this test stands for the program that now has the id.
    writeFileSync(
      join(cluster_dir, 'postmaster.pid'),
      `${process.pid}\n${cluster_dir}\n1\n5432\n${socket_dir}\n\n\nready   \n`,
    );
    const second = await start();
    expect(readPidFile(cluster_dir)?.pid).not.toBe(process.pid);
    expect(await query(second.url, 'SELECT 3 AS three')).toEqual([{ three: 3 }]);
  });

  it('restarts the server when it exits', async () => {
    const database = await start();
    const cluster_dir = await clusterDir(database.url);
    const before = readPidFile(cluster_dir);
    process.kill(before!.pid, 'SIGKILL');
    await vi.waitFor(
      async () => {
        expect(readPidFile(cluster_dir)?.pid).not.toBe(before!.pid);
        expect(await query(database.url, 'SELECT 4 AS four')).toEqual([{ four: 4 }]);
      },
      { timeout: 30_000, interval: 50 },
    );
    expect(lines).toContain('The database server exited unexpectedly and is restarted.');
  });

  it('uses a short private folder for the socket when the path is too long', async () => {
    data_dir = join(data_dir, 'a-folder-with-a-very-long-name-'.repeat(4));
    const database = await start();
    const socket_dir = new URL(database.url).searchParams.get('host')!;
    expect(socket_dir.length).toBeLessThan(90);
    expect(statSync(socket_dir).mode & 0o777).toBe(0o700);
    expect(await query(database.url, 'SELECT 5 AS five')).toEqual([{ five: 5 }]);
    await database.close();
    expect(existsSync(socket_dir)).toBe(false);
  });

  itUnlessMissing(
    process.getuid?.() === 0 ? undefined : 'root',
    'as root, stores the data where the unprivileged account can reach it, and logs where',
    async () => {
      chmodSync(parent_dir, 0o700);
      const database = await start();
      const cluster_dir = await clusterDir(database.url);
      expect(cluster_dir).toMatch(/^\/var\/lib\/asterism-[0-9a-f]{12}\/postgres$/);
      try {
        expect(lines.join()).toContain(`the database is in ${cluster_dir}`);
        expect(statSync(join(cluster_dir, '..')).mode & 0o777).toBe(0o700);
        await database.close();
      } finally {
        rmSync(join(cluster_dir, '..'), { recursive: true, force: true });
      }
    },
  );

  it('rejects a folder of another PostgreSQL version with one sentence', async () => {
    const first = await start();
    const cluster_dir = await clusterDir(first.url);
    await first.close();
    const version = readFileSync(join(cluster_dir, 'PG_VERSION'), 'utf8');
    writeFileSync(join(cluster_dir, 'PG_VERSION'), '15\n');
    await expect(start()).rejects.toThrow(`was made by PostgreSQL 15 and this release brings ${version.trim()}`);
  });
});

describe('connectDatabase', () => {
  it('rejects with one sentence, without the password, when the server does not respond', async () => {
    const url = 'postgresql://someone:a-secret@127.0.0.1:1/asterism';
    const refusal = await connectDatabase(url).catch((error: Error) => error.message);
    expect(refusal).toMatch(
      /^PostgreSQL does not answer at postgresql:\/\/127\.0\.0\.1:1\/asterism \(.+\): check DATABASE_URL\.$/,
    );
    expect(refusal).not.toContain('a-secret');
  });
});

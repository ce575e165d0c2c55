/** An import into a large address book delays no other request: its expensive part runs in another process. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findPersonas } from '../../world/personas.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';
import { databaseUrl, peopled_name, service_key } from '../../world/template.ts';
import { multipart } from '../../samples/upload.ts';
import { administer } from '../../world/world.ts';

const contact_count = 40_000;
const row_count = 10_000;
/**
 * About three times the longest turn measured; matching in the service's own process took 49 (preview) and 66 (commit).
 */
const max_turn_ms = 35;
const max_rounds = 3;

describe('an import among 40,000 contacts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asterism-loop-'));
  const path = join(folder, 'longest');
  const { alice, bob } = findPersonas();
  let service: Service;
  beforeAll(async () => {
    const name = `imports_${randomUUID().replaceAll('-', '')}`;
    const server_url = inject('database_url');
    await administer(server_url, `create database ${name} template ${peopled_name} strategy file_copy`);
    const url = databaseUrl(server_url, name);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      `insert into contacts (id, owner_id, name, phones, emails, tag_name, im, note, favourite, created_at, updated_at)
       select 'con_' || lpad(n::text, 22, '0'), $1, 'Number ' || n,
              jsonb_build_array(jsonb_build_object('label', 'other', 'number', '+1416' || (2000000 + n))),
              jsonb_build_array(jsonb_build_object('label', 'other', 'address', 'n' || n || '@x.org')),
              null, '[]', '', false, now(), now() from generate_series(1, $2::int) n`,
      [alice.id, contact_count],
    );
    await client.end();
    const preload = join(import.meta.dirname, '..', '..', 'running', 'loop-watch.ts');
    service = await startService({
      is_program: true,
      environment: {
        DATABASE_URL: url,
        SERVICE_KEY: service_key,
        NODE_OPTIONS: `--import ${preload}`,
        LOOP_WATCH: path,
      },
    });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The longest turn of the event loop during some work. */
  async function longestTurn(work: () => Promise<void>): Promise<number> {
    writeFileSync(path, '');
    service.process.kill('SIGUSR2');
    await poll(async () => !existsSync(path) || readFileSync(path, 'utf8') !== '', 'the watch');
    await work();
    return Number(existsSync(path) ? readFileSync(path, 'utf8') : 0);
  }

  /** Imports and undoes the import. @returns the longest turn of the event loop in each step */
  async function importOnce(): Promise<Record<string, number>> {
    const lines = Array.from({ length: row_count }, (_, at) => {
      const number = contact_count - row_count / 2 + at;
      return `Number ${number},+1416${2_000_000 + number},m${number}@x.org,Met`;
    });
    const turns: Record<string, number> = {};
    const ids = { preview_id: '', batch_id: '' };
    const as_alice = { token: alice.token };
    turns['preview'] = await longestTurn(async () => {
      const { raw, headers } = multipart(Buffer.from(['name,phone,email,note', ...lines].join('\n')), 'contacts');
      const response = await fetch(`${service.url}/v1/contacts/import/preview`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${alice.token}` },
        body: new Uint8Array(raw),
      });
      const body = (await response.json()) as { preview_id: string; counts: object };
      expect([response.status, body.counts]).toEqual([200, { create: 4999, update: 5001, skip: 0 }]);
      ids.preview_id = body.preview_id;
    });
    turns['commit'] = await longestTurn(async () => {
      const { status, body } = await service.call('POST /contacts/import', {
        ...as_alice,
        body: { preview_id: ids.preview_id },
      });
      expect([status, body.created, body.updated]).toEqual([201, 4999, 5001]);
      ids.batch_id = body.id;
    });
    turns['rollback'] = await longestTurn(async () => {
      const { status, body } = await service.call(`POST /contacts/imports/${ids.batch_id}/rollback`, as_alice);
      expect([status, body.left]).toEqual([200, []]);
    });
    return turns;
  }

  it('causes no long turn of the event loop in preview, commit and rollback', async () => {
    expect((await service.call('GET /me', { token: bob.token })).status).toBe(200);
    const rounds: Record<string, number>[] = [];
    // On a busy machine, what arrives while the process waits for a processor counts as one turn: the shortest one counts.
    const tooLong = () =>
      ['preview', 'commit', 'rollback'].flatMap((step) => {
        const shortest_ms = Math.min(...rounds.map((turns) => turns[step] ?? Infinity));
        return shortest_ms > max_turn_ms ? [`${step}: ${shortest_ms.toFixed(0)} ms`] : [];
      });
    do rounds.push(await importOnce());
    while (rounds.length < max_rounds && tooLong().length > 0);
    expect(tooLong()).toEqual([]);
  });
});

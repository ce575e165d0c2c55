import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { register, type Persona } from '../testing/world/personas.ts';
import { restoreBeforeEach } from '../testing/world/restore-world.ts';
import { createWorld, type World } from '../testing/world/world.ts';
import { backUp, requireNoService, restore, type Stores } from './backup.ts';
import { slow } from '../../testing/slow-tests.ts';

const storesOf = ({ app }: World): Stores => ({
  database_url: (app.services.db.native.options as { connectionString: string }).connectionString,
  blobs: app.services.blobs,
});
const count = async ({ app }: World, table: string) =>
  Number((await app.services.db.native.query(`select count(*) as n from ${table}`)).rows[0].n);
const epochOf = async ({ app }: World) =>
  (await app.services.db.native.query('select epoch from service')).rows[0].epoch as string;
const keysOf = async ({ app }: World) => Array.fromAsync(app.services.blobs.list(''));

describe('backup and restore', () => {
  const dir = mkdtempSync(join(tmpdir(), 'asterism-backup-'));
  const archive = join(dir, 'whole.gz');
  const file_bytes = Buffer.from(Array.from({ length: 700_000 }, (_, at) => (at * 31) % 251));
  let source: World;
  let target: World;
  let alice: Persona;
  beforeAll(async () => {
    [source, target] = [await createWorld({ peopled: false }), await createWorld({ peopled: false })];
    alice = await register(source, 'alice', 1);
    await source.call('POST /xtags', {
      token: alice.token,
      body: { name: 'jazz', title: 'Ünïcode "quoted"', description: 'two\nlines' },
    });
    await source.app.services.blobs.put('files/picture', file_bytes, { content_type: 'image/png' });
    await source.app.services.blobs.put('files/nothing', Buffer.alloc(0), { content_type: 'text/plain' });
    await source.app.services.db.native.query(
      `select graphile_worker.add_job('test.later', '{"a": 1}', run_at => '2100-01-01', job_key => 'later')`,
    );
    await backUp(storesOf(source), archive, source.app.services.clock.now());
  });
  afterAll(async () => {
    await source.close();
    await target.close();
    rmSync(dir, { recursive: true, force: true });
  });
  restoreBeforeEach(() => target);
  beforeEach(async () => {
    for (const key of await keysOf(target)) await target.app.services.blobs.remove(key);
  });

  it.each([
    ['with missing bytes', (whole: Buffer) => whole.subarray(0, whole.length - 200)],
    ['without its last line', (whole: Buffer) => gzipSync(withoutLines(gunzipSync(whole), -1))],
    ['without a line in its middle', (whole: Buffer) => gzipSync(withoutPart(gunzipSync(whole)))],
  ])('rejects an archive %s and restores nothing', async (name, damage) => {
    const damaged = join(dir, `${name}.gz`);
    writeFileSync(damaged, damage(readFileSync(archive)));
    await expect(restore(storesOf(target), damaged, { force: true })).rejects.toThrow('cut off or damaged');
    expect([await count(target, 'users'), await keysOf(target)]).toEqual([0, []]);
  });

  it('rejects an archive of another migration level', async () => {
    const other = join(dir, 'other.gz');
    const text = gunzipSync(readFileSync(archive)).toString();
    writeFileSync(other, gzipSync(text.replace('"0001-kernel",', '"0000-elder","0001-kernel",')));
    await expect(restore(storesOf(target), other, { force: true })).rejects.toThrow('The archive is of migration');
    expect(await count(target, 'users')).toBe(0);
  });

  it('rolls back everything when rows violate a foreign key', slow, async () => {
    const orphans = join(dir, 'orphans.gz');
    const text = gunzipSync(readFileSync(archive)).toString();
    writeFileSync(orphans, gzipSync(text.replaceAll(`"user_id": "${alice.id}"`, '"user_id": "usr_gone"')));
    await expect(restore(storesOf(target), orphans, { force: false })).rejects.toThrow('foreign key');
    expect(await count(target, 'users')).toBe(0);
  });

  it('restores users, tags, sessions, files and pending jobs into an empty database', slow, async () => {
    // Both databases are copies of one template, so that they start with the same epoch.
    const epoch = await epochOf(source);
    expect([await epochOf(target), (await count(source, 'events')) > 0]).toEqual([epoch, true]);
    const counts = await restore(storesOf(target), archive, { force: false });
    expect(counts).toMatchObject({ files: 2, bytes: file_bytes.length });
    expect(await count(target, 'events')).toBe(0);
    const restored = await target.call('GET /xtags', { token: alice.token });
    const original = await source.call('GET /xtags', { token: alice.token });
    expect(restored.body.items).toHaveLength(1);
    expect(restored.body).toEqual(original.body);
    const login = await target.call('POST /auth/login', { body: { username: 'alice', password: alice.password } });
    expect([login.status, login.body.status]).toEqual([200, 'otp_required']);
    const stored = await target.app.services.blobs.get('files/picture');
    expect(stored && file_bytes.equals(await buffer(stored.body))).toBe(true);
    expect(await keysOf(target)).toEqual(['files/nothing', 'files/picture']);
    const { rows } = await target.app.services.db.native.query(
      `select task_identifier, run_at from graphile_worker.jobs where key = 'later'`,
    );
    expect(rows).toEqual([{ task_identifier: 'test.later', run_at: new Date('2100-01-01') }]);
    expect(await epochOf(target)).not.toBe(epoch);
  });

  it('keeps the constraints and allows new rows', slow, async () => {
    await restore(storesOf(target), archive, { force: false });
    const constraints = `pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`;
    expect(await count(target, constraints)).toBe(await count(source, constraints));
    const created = await target.call('POST /xtags', { token: alice.token, body: { name: 'blues' } });
    expect(created.status).toBe(201);
  });

  it('rejects a database that is not empty, and replaces its content when forced', slow, async () => {
    await restore(storesOf(target), archive, { force: false });
    await expect(restore(storesOf(target), archive, { force: false })).rejects.toThrow('not empty');
    await target.app.services.blobs.put('files/extra', Buffer.from('x'), { content_type: 'text/plain' });
    await restore(storesOf(target), archive, { force: true });
    expect([await count(target, 'tags'), await keysOf(target)]).toEqual([1, ['files/nothing', 'files/picture']]);
  });

  it('does not overwrite an archive, and detects a running service', async () => {
    await expect(backUp(storesOf(source), archive, source.app.services.clock.now())).rejects.toThrow('exists already');
    await expect(requireNoService(storesOf(source).database_url)).rejects.toThrow('A service is running');
  });
});

function withoutLines(text: Buffer, until: number): string {
  return `${text.toString().trimEnd().split('\n').slice(0, until).join('\n')}\n`;
}

function withoutPart(text: Buffer): string {
  const lines = text.toString().split('\n');
  const at = lines.findIndex((line) => line.startsWith('{"kind":"part"'));
  return lines.filter((_, index) => index !== at).join('\n');
}

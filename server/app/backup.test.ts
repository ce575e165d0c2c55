import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { register, type Persona } from '../testing/personas.ts';
import { restoreBeforeEach } from '../testing/restore-world.ts';
import { createWorld, type World } from '../testing/world.ts';
import { backUp, requireNoService, restore, type Stores } from './backup.ts';

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
  const picture = Buffer.from(Array.from({ length: 700_000 }, (_, at) => (at * 31) % 251));
  let one: World;
  let two: World;
  let alice: Persona;
  beforeAll(async () => {
    [one, two] = [await createWorld({ peopled: false }), await createWorld({ peopled: false })];
    alice = await register(one, 'alice', 1);
    await one.call('POST /xtags', {
      token: alice.token,
      body: { name: 'jazz', title: 'Ünïcode "quoted"', description: 'two\nlines' },
    });
    await one.app.services.blobs.put('files/picture', picture, { content_type: 'image/png' });
    await one.app.services.blobs.put('files/nothing', Buffer.alloc(0), { content_type: 'text/plain' });
    await one.app.services.db.native.query(
      `select graphile_worker.add_job('test.later', '{"a": 1}', run_at => '2100-01-01', job_key => 'later')`,
    );
    await backUp(storesOf(one), archive, one.app.services.clock.now());
  });
  afterAll(async () => {
    await one.close();
    await two.close();
    rmSync(dir, { recursive: true, force: true });
  });
  restoreBeforeEach(() => two);
  beforeEach(async () => {
    for (const key of await keysOf(two)) await two.app.services.blobs.remove(key);
  });

  it.each([
    ['cut in its bytes', (whole: Buffer) => whole.subarray(0, whole.length - 200)],
    ['without its last line', (whole: Buffer) => gzipSync(withoutLines(gunzipSync(whole), -1))],
    ['without a line in its middle', (whole: Buffer) => gzipSync(withoutPart(gunzipSync(whole)))],
  ])('refuses an archive %s and leaves nothing', async (name, spoil) => {
    const spoiled = join(dir, `${name}.gz`);
    writeFileSync(spoiled, spoil(readFileSync(archive)));
    await expect(restore(storesOf(two), spoiled, { force: true })).rejects.toThrow('cut off or damaged');
    expect([await count(two, 'users'), await keysOf(two)]).toEqual([0, []]);
  });

  it('refuses an archive of another migration level', async () => {
    const other = join(dir, 'other.gz');
    const text = gunzipSync(readFileSync(archive)).toString();
    writeFileSync(other, gzipSync(text.replace('"0001-kernel",', '"0000-elder","0001-kernel",')));
    await expect(restore(storesOf(two), other, { force: true })).rejects.toThrow('The archive is of migration');
    expect(await count(two, 'users')).toBe(0);
  });

  it('takes back everything when rows do not fit together', async () => {
    const orphans = join(dir, 'orphans.gz');
    const text = gunzipSync(readFileSync(archive)).toString();
    writeFileSync(orphans, gzipSync(text.replaceAll(`"user_id": "${alice.id}"`, '"user_id": "usr_gone"')));
    await expect(restore(storesOf(two), orphans, { force: false })).rejects.toThrow('foreign key');
    expect(await count(two, 'users')).toBe(0);
  });

  it('brings people, tags, sessions, files and waiting jobs into an empty database', async () => {
    // Both began as copies of one database, so that they begin with the same epoch.
    const epoch = await epochOf(one);
    expect([await epochOf(two), (await count(one, 'events')) > 0]).toEqual([epoch, true]);
    const counts = await restore(storesOf(two), archive, { force: false });
    expect(counts).toMatchObject({ files: 2, bytes: picture.length });
    expect(await count(two, 'events')).toBe(0);
    const theirs = await two.call('GET /xtags', { token: alice.token });
    const ours = await one.call('GET /xtags', { token: alice.token });
    expect(theirs.body.items).toHaveLength(1);
    expect(theirs.body).toEqual(ours.body);
    const begun = await two.call('POST /auth/login', { body: { username: 'alice', password: alice.password } });
    expect([begun.status, begun.body.status]).toEqual([200, 'otp_required']);
    const stored = await two.app.services.blobs.get('files/picture');
    expect(stored && picture.equals(await buffer(stored.body))).toBe(true);
    expect(await keysOf(two)).toEqual(['files/nothing', 'files/picture']);
    const { rows } = await two.app.services.db.native.query(
      `select task_identifier, run_at from graphile_worker.jobs where key = 'later'`,
    );
    expect(rows).toEqual([{ task_identifier: 'test.later', run_at: new Date('2100-01-01') }]);
    expect(await epochOf(two)).not.toBe(epoch);
  });

  it('keeps the constraints and lets new rows follow', async () => {
    await restore(storesOf(two), archive, { force: false });
    const constraints = `pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`;
    expect(await count(two, constraints)).toBe(await count(one, constraints));
    const made = await two.call('POST /xtags', { token: alice.token, body: { name: 'blues' } });
    expect(made.status).toBe(201);
  });

  it('refuses a database that holds something, and replaces it when forced', async () => {
    await restore(storesOf(two), archive, { force: false });
    await expect(restore(storesOf(two), archive, { force: false })).rejects.toThrow('not empty');
    await two.app.services.blobs.put('files/extra', Buffer.from('x'), { content_type: 'text/plain' });
    await restore(storesOf(two), archive, { force: true });
    expect([await count(two, 'tags'), await keysOf(two)]).toEqual([1, ['files/nothing', 'files/picture']]);
  });

  it('does not write over an archive, and sees a service that runs', async () => {
    await expect(backUp(storesOf(one), archive, one.app.services.clock.now())).rejects.toThrow('exists already');
    await expect(requireNoService(storesOf(one).database_url)).rejects.toThrow('A service is running');
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

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations_dir } from '../../app/app.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { migrateAt } from './migrate.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('migrations', () => {
  let world: World;
  let url: string;
  beforeEach(async () => {
    world = await createWorld();
    url = world.app.services.db.native.options.connectionString ?? '';
  });
  afterEach(() => world.close());

  const levels = async () => {
    const { rows } = await world.app.services.db.native.query('select name from kysely_migration order by name');
    return rows.map(({ name }: { name: string }) => name);
  };

  it('leave a database at the newest level unchanged', async () => {
    const before = await levels();
    expect(before.length).toBeGreaterThan(3);
    await migrateAt(url, migrations_dir);
    expect(await levels()).toEqual(before);
  });

  /** Migrates the database one level beyond this release. @param filter which of its files there are */
  async function migrateFurther(filter = (_path: string) => true): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'asterism-migrations-'));
    try {
      cpSync(migrations_dir, folder, { recursive: true, filter });
      writeFileSync(join(folder, '9998-newer.sql'), '-- owner: tests\ncreate table newer (id int);');
      await migrateAt(url, folder);
      await migrateAt(url, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it('run each missing migration once', slow, async () => {
    await migrateFurther();
    expect((await levels()).at(-1)).toBe('9998-newer');
    expect((await world.app.services.db.native.query('select * from newer')).rows).toEqual([]);
  });

  it('continue a database of the separate files from before their merge', slow, async () => {
    const { native } = world.app.services.db;
    const merged = (await levels()).filter((name) => name <= '0037-realtime');
    await native.query(`delete from kysely_migration where name >= '0037-realtime'`);
    await native.query(
      `insert into kysely_migration select name, '2026-11-20' from unnest(array['0020-realtime', '0038-words', '0052-references']) name`,
    );
    // Without the files that were added since the merge, whose changes this database has already.
    await migrateFurther((path) => !path.endsWith('.sql') || basename(path) <= '0037-realtime.sql');
    expect(await levels()).toEqual([...merged, '9998-newer']);
  });

  it('reject a database that a newer release has migrated', slow, async () => {
    await migrateFurther();
    await expect(migrateAt(url, migrations_dir)).rejects.toThrow(
      'The database was migrated by a newer release (9998-newer.sql).',
    );
  });
});

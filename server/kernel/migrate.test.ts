import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations_dir } from '../app/app.ts';
import { createWorld, type World } from '../testing/world.ts';
import { migrate } from './migrate.ts';

describe('migrations', () => {
  let world: World;
  let url: string;
  beforeAll(async () => {
    world = await createWorld();
    url = world.app.services.db.native.options.connectionString ?? '';
  });
  afterAll(() => world.close());

  const levels = async () => {
    const { rows } = await world.app.services.db.native.query('select name from kysely_migration order by name');
    return rows.map(({ name }: { name: string }) => name);
  };

  it('leave a database at the newest level as it is', async () => {
    const before = await levels();
    expect(before.length).toBeGreaterThan(3);
    await migrate(url, migrations_dir);
    expect(await levels()).toEqual(before);
  });

  it('run what is missing', async () => {
    const { native } = world.app.services.db;
    const newest = (await levels()).at(-1);
    await native.query('drop function wake_job_queue cascade');
    await native.query('delete from kysely_migration where name = $1', [newest]);
    await migrate(url, migrations_dir);
    expect((await levels()).at(-1)).toBe(newest);
    expect((await native.query(`select 1 from pg_proc where proname = 'wake_job_queue'`)).rows).toHaveLength(1);
  });

  it('refuse a database that a newer release has brought further', async () => {
    await world.app.services.db.native.query(`insert into kysely_migration values ('9999-later', now()::text)`);
    await expect(migrate(url, migrations_dir)).rejects.toThrow('9999-later');
  });
});

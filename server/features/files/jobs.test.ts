import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blobKeys, storageUse, uploadPicture } from '../../testing/samples/media.ts';
import { findPersonas, advanceDays, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { detachFiles } from '../../domain/files/files.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { change } from '../../kernel/services.ts';
import { collectFiles, sweepBlobs } from './jobs.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('Deletion of unused files', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  const collect = async () => {
    await change(world.app.services, async ({ enqueue }) => enqueue(collectFiles, {}));
    await world.settle();
  };
  const exists = async ({ id }: { id: string }) => {
    const { rows } = await world.app.services.db.native.query('select 1 from files where id = $1', [id]);
    const keys = (await blobKeys(world)).filter((key) => key.startsWith(`files/${id}.`));
    return [rows.length, keys.length];
  };

  it(
    'deletes files that were unattached for a day, with their bytes and storage count, and no others',
    slow,
    async () => {
      const { alice } = people;
      const [attached, unattached, released] = [
        await uploadPicture(world, alice),
        await uploadPicture(world, alice),
        await uploadPicture(world, alice),
      ];
      await postStatus(world, alice, 'One', { media: [attached.id] });
      const status = await postStatus(world, alice, 'Two', { media: [attached.id, released.id] });
      await advanceDays(world, 0.9);
      await world.call(`DELETE /statuses/${status.id}`, { token: alice.token });
      await collect();
      for (const file of [attached, unattached, released]) expect(await exists(file)).toEqual([1, 4]);
      await advanceDays(world, 0.2);
      await collect();
      expect([await exists(attached), await exists(unattached), await exists(released)]).toEqual([
        [1, 4],
        [0, 0],
        [1, 4],
      ]);
      await advanceDays(world, 1);
      await collect();
      expect([await exists(attached), await exists(released)]).toEqual([
        [1, 4],
        [0, 0],
      ]);
      const { counted, stored } = await storageUse(world, alice);
      expect([counted > 0, counted]).toEqual([true, stored]);
    },
  );

  it('deletes a file whose two attachments are removed concurrently', async () => {
    const { alice } = people;
    const { db, clock } = world.app.services;
    const file = await uploadPicture(world, alice, 'olive');
    const [first_status, second_status] = await Promise.all(
      ['One', 'Two'].map((text) => postStatus(world, alice, text, { media: [file.id] })),
    );
    const release = (tx: Queryable, id: string) => detachFiles(tx, [id], clock.now());
    let ended = false;
    let second: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await release(tx, first_status.id);
      second = db.transaction((later) => release(later, second_status.id)).finally(() => (ended = true));
      // The second transaction has ended or waits for the row lock of the first.
      const waits = sql`select 1 from pg_locks where not granted`;
      await expect.poll(async () => ended || (await db.run(waits)) > 0, { interval: 5 }).toBe(true);
    });
    await second;
    await advanceDays(world, 1.1);
    await collect();
    expect(await exists(file)).toEqual([0, 0]);
  });

  it('deletes a file or accepts its attachment: the first one wins', slow, async () => {
    const { bob } = people;
    const files: { id: string }[] = [];
    for (let at = 0; at < 12; at++) files.push(await uploadPicture(world, bob, `rgb(${at}, 0, 0)`));
    await advanceDays(world, 1.1);
    const [answers] = await Promise.all([
      Promise.all(
        files.map(({ id }) =>
          world.call('POST /statuses', { token: bob.token, body: { body: 'Just in time', media: [id] } }),
        ),
      ),
      change(world.app.services, async ({ enqueue }) => enqueue(collectFiles, {})).then(() => world.settle()),
    ]);
    await world.settle();
    for (const [at, { status }] of answers.entries()) {
      expect([201, 422]).toContain(status);
      expect(await exists(files[at] ?? { id: '' })).toEqual(status === 201 ? [1, 4] : [0, 0]);
    }
    const { counted, stored } = await storageUse(world, bob);
    expect(counted).toBe(stored);
  });

  it('skips a file that is being attached in a running transaction', async () => {
    const { bob } = people;
    const file = await uploadPicture(world, bob, 'plum');
    await advanceDays(world, 1.1);
    const client = await world.app.services.db.native.connect();
    try {
      await client.query('begin');
      await client.query('update files set unused_since = null where id = $1', [file.id]);
      await collectFiles.run({}, world.app.services);
      await client.query('commit');
    } finally {
      client.release();
    }
    await collect();
    expect(await exists(file)).toEqual([1, 4]);
  });

  it('deletes all files of a deleted account', async () => {
    const { carol } = people;
    const file = await uploadPicture(world, carol, 'cyan');
    await postStatus(world, carol, 'Mine', { media: [file.id] });
    await world.call('DELETE /me', { token: carol.token, body: { password: carol.password } });
    await world.settle();
    await collect();
    expect(await exists(file)).toEqual([0, 0]);
    expect(await storageUse(world, carol)).toEqual({ counted: 0, stored: 0 });
  });

  it('deletes stored bytes without a row after a day', async () => {
    const { alice } = people;
    const { services } = world.app;
    const file = await uploadPicture(world, alice, 'navy');
    // This remains when the service is killed between writing the bytes and the row.
    const orphan = { id: services.id('file') };
    for (const variant of ['main', 'small'])
      await services.blobs.put(`files/${orphan.id}.${variant}`, Buffer.from('x'), { content_type: 'image/webp' });
    const sweep = async () => {
      await sweepBlobs.run({}, services);
      return [await exists(orphan), await exists(file)];
    };
    expect(await sweep()).toEqual([
      [0, 2],
      [1, 4],
    ]);
    await advanceDays(world, 1.1);
    expect(await sweep()).toEqual([
      [0, 0],
      [1, 4],
    ]);
  });
});

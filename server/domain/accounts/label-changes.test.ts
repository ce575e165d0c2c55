import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../kernel/database/database.ts';
import { follow, createTag, itemsOf } from '../../testing/steps/follows.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { deleteOldLabelChanges } from './label-changes.ts';

describe('changes of labels', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  /** The names of the authors in Bob's feed, which contains a status of Alice. */
  const namesIn = async () =>
    (await itemsOf(world, '/feed', people.bob)).map(
      ({ author }: { author: { display_name: string } }) => author.display_name,
    );

  async function prepareFeed(): Promise<void> {
    const tag = await createTag(world, people.alice, 'jazz');
    await follow(world, tag, people.bob);
    await postStatus(world, people.alice, 'Tonight', { tag_id: tag.id });
  }

  it('are seen by everybody who reads after them, also those of transactions that began before others were read', async () => {
    await prepareFeed();
    const [slow, quick] = await Promise.all([0, 1].map(() => world.app.services.db.native.connect()));
    const rename = (display_name: string) => ({
      text: 'update users set display_name = $1 where id = $2',
      values: [display_name, people.alice.id],
    });
    try {
      await slow?.query('begin');
      await slow?.query(rename('Slow'));
      const [before] = await namesIn();
      expect(before).not.toBe('Slow');
      // A younger transaction that commits first.
      await quick?.query('update users set display_name = $1 where id = $2', ['Bobby', people.bob.id]);
      expect(await namesIn()).toEqual([before]);
      await slow?.query('commit');
      expect(await namesIn()).toEqual(['Slow']);
      await quick?.query(rename('Quick'));
      expect(await namesIn()).toEqual(['Quick']);
    } finally {
      slow?.release();
      quick?.release();
    }
  });

  it('are recorded for what lists show of an account, and for nothing else', async () => {
    const count = async () =>
      (await world.app.services.db.one<{ count: number }>(sql`select count(*)::int as count from label_changes`)).count;
    const before = await count();
    const { token } = people.alice;
    expect((await world.call('PATCH /me', { token, body: { bio: 'I sing.' } })).status).toBe(200);
    expect(await count()).toBe(before);
    expect((await world.call('PATCH /me', { token, body: { display_name: 'Alice A.' } })).status).toBe(200);
    expect(await count()).toBe(before + 1);
  });

  it('of one account are one row, however often it is renamed', async () => {
    await prepareFeed();
    const { token } = people.alice;
    for (const display_name of ['One', 'Two', 'Three']) {
      expect((await world.call('PATCH /me', { token, body: { display_name } })).status).toBe(200);
      expect(await namesIn()).toEqual([display_name]);
    }
    const { count } = await world.app.services.db.one<{ count: number }>(
      sql`select count(*)::int as count from label_changes where subject_id = ${people.alice.id}`,
    );
    expect(count).toBe(1);
  });

  it('expire after a day, and are not missed by a node that has not read them', async () => {
    await prepareFeed();
    const [before] = await namesIn();
    const { token } = people.alice;
    await world.call('PATCH /me', { token, body: { display_name: 'Alice A.' } });
    const { db } = world.app.services;
    const later = new Date(Date.now() + 60_000);
    expect(await deleteOldLabelChanges(db, later, 100)).toBe(false);
    expect(await db.many(sql`select subject_id from label_changes`)).toEqual([{ subject_id: '*' }]);
    expect(await namesIn()).toEqual(['Alice A.']);
    expect(before).not.toBe('Alice A.');
    // Nothing was deleted, so nodes keep what they have cached.
    const mark = () => db.one(sql`select xid::text from label_changes`);
    const marked = await mark();
    await deleteOldLabelChanges(db, later, 100);
    expect(await mark()).toEqual(marked);
  });
});

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { listen } from '../../testing/world/listening.ts';
import { findPersonas } from '../../testing/world/personas.ts';
import { databaseUrl } from '../../testing/world/template.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { sql } from '../database/database.ts';
import { event, type ComputedMembers } from '../event.ts';
import { object, Type } from '../schema.ts';
import { change, type Change } from '../services.ts';
import { slow } from '../../../testing/slow-tests.ts';

const noted = event('test.noted', 'A test.', object({ text: Type.String() }));

describe('a change that defers its events', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  const emit = (one: Change, text: string, computed?: ComputedMembers) =>
    one.emit(noted, [`user:${findPersonas().alice.id}`], { text }, computed);

  it('holds back no others while it runs, and its own follow it', slow, async () => {
    const heard = await listen(world, findPersonas().alice);
    const texts = () => heard.flatMap(({ type, data }) => (type === 'test.noted' ? [data.text] : []));
    const released = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const long = change(world.app.services, async (one, checkpoint) => {
      const undo = checkpoint();
      await one.deferEvents();
      begun.resolve();
      await released.promise;
      emit(one, 'undone');
      await undo();
      emit(one, 'first');
      emit(one, '', { text: sql`'la' || 'te'` });
      await one.flush();
    });
    await begun.promise;
    await change(world.app.services, async (one) => emit(one, 'meanwhile'));
    await expect.poll(texts).toEqual(['meanwhile']);
    released.resolve();
    await long;
    await world.settle();
    await expect.poll(texts).toEqual(['meanwhile', 'first', 'late']);
  });

  it('is not needed in another database of the server, whose transactions hold back no events', async () => {
    const heard = await listen(world, findPersonas().carol);
    const other = new pg.Client({ connectionString: databaseUrl(inject('database_url'), 'postgres') });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select pg_current_xact_id()');
      await change(world.app.services, async (one) =>
        one.emit(noted, [`user:${findPersonas().carol.id}`], { text: 'elsewhere' }),
      );
      await expect.poll(() => heard.some(({ type }) => type === 'test.noted')).toBe(true);
    } finally {
      await other.end();
    }
  });

  it('fails if it has inserted some before, which receivers would miss', async () => {
    const late = change(world.app.services, async (one) => {
      emit(one, 'early');
      one.awaitAtCommit(one.writeWithEvents(sql`step as (select 1)`));
      await one.flush();
      await one.deferEvents();
    });
    await expect(late).rejects.toThrow('has inserted events');
  });

  it('holds back others like any change when it does not defer them', slow, async () => {
    const heard = await listen(world, findPersonas().bob);
    const { db } = world.app.services;
    const real = db.many.bind(db);
    const reads: string[] = [];
    const read = vi.spyOn(db, 'many').mockImplementation((statement) => {
      reads.push(statement.text);
      return real(statement);
    });
    const released = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const inserting = change(world.app.services, async (one) => {
      one.emit(noted, [`user:${findPersonas().bob.id}`], { text: 'older' });
      one.awaitAtCommit(one.writeWithEvents(sql`step as (select 1)`));
      await one.flush();
      begun.resolve();
      await released.promise;
    });
    await begun.promise;
    await change(world.app.services, async (one) =>
      one.emit(noted, [`user:${findPersonas().bob.id}`], { text: 'newer' }),
    );
    // The reader looks for transactions to pass.
    await expect.poll(() => reads.some((text) => text.includes('pg_locks'))).toBe(true);
    read.mockRestore();
    released.resolve();
    await inserting;
    await expect
      .poll(() => heard.flatMap(({ type, data }) => (type === 'test.noted' ? [data.text] : [])))
      .toEqual(['older', 'newer']);
  });
});

/**
 * Locks are taken in one order: a request that waits for one holds none that the others take after it. Otherwise two
 * accounts that repeat two requests at once bring about deadlocks, each of which holds connections to the database until
 * it is noticed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { createTag } from '../steps/follows.ts';
import { postStatus } from '../steps/statuses.ts';
import { waitForLocks } from '../world/locks.ts';
import { findPersonas, type Persona, type Personas } from '../world/personas.ts';
import { restoreBeforeEach } from '../world/restore-world.ts';
import { createWorld, type Answer, type World } from '../world/world.ts';

describe('locks', () => {
  let world: World;
  let people: Personas;
  let tag: { id: string; name: string };
  let status: { id: string };
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    tag = await createTag(world, people.alice, 'harbour');
    status = await postStatus(world, people.alice, 'First light', { tag_id: tag.id });
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  /** Starts a request while somebody holds a lock, and then takes another lock, for which it must not have to wait. */
  async function whileLocked(
    lock: (db: Queryable) => Promise<unknown>,
    start: () => Promise<Answer>,
    next: Sql,
  ): Promise<number> {
    let answer: Promise<Answer> | undefined;
    await world.app.services.db.transaction(async (db) => {
      await lock(db);
      answer = start();
      await waitForLocks(world, 1);
      await db.run(sql`${next} for update nowait`);
    });
    return (await answer)?.status ?? 0;
  }
  const lockStatus = (db: Queryable) => db.run(sql`select 1 from statuses where id = ${status.id} for update`);
  const asBob = (route: string, body?: object) => world.call(route, { token: people.bob.token, body });
  const asAlice = (route: string, body?: object) => world.call(route, { token: people.alice.token, body });
  /** The lock that the author of a reply holds before they lock what the other person has written. */
  const lockPairOf = (one: Persona, other: Persona) => (db: Queryable) => lockPair(db, one.id, other.id);
  const theStatus = () => sql`select 1 from statuses where id = ${status.id}`;
  const theTag = () => sql`select 1 from tags where id = ${tag.id}`;

  it('removing a like waits for the status before it holds the like', async () => {
    await asBob(`PUT /statuses/${status.id}/like`);
    const unlike = () => asBob(`DELETE /statuses/${status.id}/like`);
    const like = sql`select 1 from status_likes where status_id = ${status.id} and user_id = ${people.bob.id}`;
    expect(await whileLocked(lockStatus, unlike, like)).toBe(200);
    const { body } = await asBob(`GET /statuses/${status.id}`);
    expect([body.like_count, body.liked]).toEqual([0, false]);
  });

  it('a reply waits for whom it mentions before it holds the status', async () => {
    const { bob, carol } = people;
    const reply = () => asBob(`POST /statuses/${status.id}/replies`, { body: 'Look, @carol' });
    expect(await whileLocked(lockPairOf(bob, carol), reply, theStatus())).toBe(201);
  });

  it('a comment waits for whom it mentions before it holds the tag', async () => {
    const { bob, carol } = people;
    const comment = () => asBob(`POST /profiles/${tag.name}/comments`, { body: 'Look, @carol' });
    expect(await whileLocked(lockPairOf(bob, carol), comment, theTag())).toBe(201);
  });

  it('a status waits for whom it mentions before it holds the tag', async () => {
    const { alice, bob, carol } = people;
    await createTag(world, carol, 'quay');
    for (const [body, whom] of [
      ['With @bob', bob],
      ['At *quay', carol],
    ] as const) {
      const post = () => asAlice('POST /statuses', { body, tag_id: tag.id });
      expect(await whileLocked(lockPairOf(alice, whom), post, theTag())).toBe(201);
    }
  });

  it('an edit waits for whom it mentions before it holds the status', async () => {
    const { alice, bob } = people;
    for (const body of [{ body: 'With @bob' }, { visibility: 'followers' }]) {
      const edit = () => asAlice(`PATCH /statuses/${status.id}`, body);
      expect(await whileLocked(lockPairOf(alice, bob), edit, theStatus())).toBe(200);
    }
  });

  it('a reply takes the locks of all whom it concerns in one order', async () => {
    const { alice, bob, carol } = people;
    // Each may be the first, by its identifier.
    const [first = alice, second = carol] = [alice, carol].sort((one, other) => (one.id < other.id ? -1 : 1));
    const own = await postStatus(world, second, 'Of the second');
    const reply = () => asBob(`POST /statuses/${own.id}/replies`, { body: `Look, @${first.username}` });
    let answer: Promise<Answer> | undefined;
    await world.app.services.db.transaction(async (db) => {
      await lockPair(db, bob.id, first.id);
      answer = reply();
      await waitForLocks(world, 1);
      // Less than until a deadlock is noticed.
      await db.run(sql`set local lock_timeout = '100ms'`);
      await lockPair(db, bob.id, second.id);
    });
    expect((await answer)?.status).toBe(201);
  });
});

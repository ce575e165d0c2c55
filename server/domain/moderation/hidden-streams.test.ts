import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slow } from '../../../testing/slow-tests.ts';
import { countPortions } from '../../testing/attacks/portions.ts';
import { createTag } from '../../testing/steps/follows.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { hideContent } from './hide-content.ts';
import { restoreUser, suspendUser } from './suspension.ts';

const motive = { operator: 'olga', reason: 'because' };

describe('the stored events of hidden streams', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const db = () => world.app.services.db.native;
  /** Repeats the events of a status, as of a tag on which much is written. */
  async function writeMuch(author: Persona, topic: string) {
    await postStatus(world, author, 'Once');
    await db().query(
      `insert into events (topic, type, data, at) select $1, type, data, at from events, generate_series(1, 1200)
       where topic = $2 and type = 'status.posted'`,
      [topic, `stream:${author.id}`],
    );
  }
  const countOf = async (topic: string) =>
    (await db().query('select 1 from events where topic = $1', [topic])).rowCount;

  it('are deleted in portions, of a suspended person with their tags, and of a hidden tag', slow, async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'loud');
    await writeMuch(alice, `stream:${tag.id}`);
    const suspension = await countPortions(world, 'events', 'delete');
    await suspendUser(world.app.services, 'alice', motive);
    expect((await suspension()).at_once).toBe(500);
    await world.settle();
    expect(await countOf(`stream:${tag.id}`)).toBe(0);
    expect(await countOf(`stream:${alice.id}`)).toBe(0);
    expect((await suspension()).at_once).toBe(500);
    await restoreUser(world.app.services, 'alice', motive);

    const other = await createTag(world, bob, 'louder');
    await writeMuch(bob, `stream:${other.id}`);
    await hideContent(world.app.services, 'tag', other.id, 'hide', motive);
    await world.settle();
    expect(await countOf(`stream:${other.id}`)).toBe(0);
    expect((await suspension()).at_once).toBe(500);
    // What is not hidden any more keeps its events.
    await writeMuch(bob, `stream:${other.id}`);
    await hideContent(world.app.services, 'tag', other.id, 'unhide', motive);
    await world.settle();
    expect(await countOf(`stream:${other.id}`)).toBeGreaterThan(1200);
  });
});

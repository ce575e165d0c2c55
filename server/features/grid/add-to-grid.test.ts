import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyPlus } from '../../testing/steps/billing.ts';
import { addContact } from '../../testing/steps/contacts.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /grid/members', () => {
  let world: World;
  let people: Personas;
  let ids: string[];
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    ids = [];
    for (let at = 0; at < 17; at++) ids.push((await addContact(world, people.alice, { name: `C${at}` })).id);
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const add = (contact_id: string | undefined, position?: number, token = people.alice.token) =>
    world.call('POST /grid/members', { token, body: { contact_id, ...(position === undefined ? {} : { position }) } });
  const order = async () => {
    const { body } = await world.call('GET /grid', { token: people.alice.token });
    expect(body.members.map(({ position }: { position: number }) => position)).toEqual(
      body.members.map((_: unknown, at: number) => at),
    );
    return body.members.map(({ contact }: { contact: { name: string } }) => contact.name);
  };

  it('returns 500 for a database error, not 422', async () => {
    const { native } = world.app.services.db;
    await native.query('alter table contacts rename to contacts_away');
    try {
      const answers = await Promise.all([
        add(ids[0]),
        world.call('POST /calls', { token: people.alice.token, body: { to: [{ contact_id: ids[0] }] } }),
      ]);
      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
        [500, 'internal_error'],
        [500, 'internal_error'],
      ]);
    } finally {
      await native.query('alter table contacts_away rename to contacts');
    }
  });

  it('stays without a contact that is deleted at the same time', async () => {
    await add(ids[0]);
    await add(ids[1]);
    const other = await world.app.services.db.native.connect();
    const whileDeleted = async (deleted: string | undefined, added: string | undefined) => {
      await other.query('begin');
      await other.query('delete from contacts where id = $1', [deleted]);
      const answer = add(added, 0);
      await waitForLocks(world, 1);
      await other.query('commit');
      return answer;
    };
    try {
      expect((await whileDeleted(ids[1], ids[2])).status).toBe(201);
      expect(await order()).toEqual(['C2', 'C0']);
      const refused = await whileDeleted(ids[3], ids[3]);
      expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, ['contact_id']]);
      expect(await order()).toEqual(['C2', 'C0']);
    } finally {
      other.release();
    }
  });

  it('stays without a favourite that is removed at the same time', async () => {
    await add(ids[0]);
    const other = await world.app.services.db.native.connect();
    try {
      await other.query('begin');
      await other.query('select 1 from grid_members where contact_id = $1 for update', [ids[0]]);
      const removed = world.call(`DELETE /grid/members/${ids[0]}`, { token: people.alice.token });
      await waitForLocks(world, 1);
      const added = add(ids[1]);
      await waitForLocks(world, 2);
      await other.query('commit');
      expect([(await removed).status, (await added).status]).toEqual([204, 201]);
    } finally {
      other.release();
    }
    expect(await order()).toEqual(['C1']);
  });

  it('adds a contact at the end or at a position, moves it, and is idempotent', async () => {
    const added = await add(ids[0]);
    expect([added.status, added.body]).toMatchObject([201, { contact: { name: 'C0' }, position: 0, state: 'idle' }]);
    await add(ids[1]);
    expect((await add(ids[2], 0)).body.position).toBe(0);
    expect(await order()).toEqual(['C2', 'C0', 'C1']);
    const again = await add(ids[0]);
    expect([again.status, again.body.position]).toEqual([200, 1]);
    expect((await add(ids[2], 2)).status).toBe(200);
    expect(await order()).toEqual(['C0', 'C1', 'C2']);
    // A position beyond the end means the end.
    expect((await add(ids[0], 15)).body.position).toBe(2);
    expect((await world.events(`user:${people.alice.id}`)).at(-1)?.type).toBe('grid.updated');
  });

  it('limits the grid to 8 members, or 16 in the paid plan, also for concurrent requests', async () => {
    for (const id of ids.slice(0, 3)) await add(id);
    const answers = await Promise.all(ids.map((id) => add(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(3).fill(200),
      ...Array(5).fill(201),
      ...Array(9).fill(403),
    ]);
    expect(answers.find(({ status }) => status === 403)?.body.error.code).toBe('plan_limit_reached');
    expect(await order()).toHaveLength(8);
    await buyPlus(world, people.alice);
    const more = await Promise.all(ids.map((id) => add(id)));
    expect(more.filter(({ status }) => status === 403)).toHaveLength(1);
    expect(await order()).toHaveLength(16);
  });

  it('rejects contacts of other users', async () => {
    const { status, body } = await add(ids[0], 0, people.bob.token);
    expect([status, Object.keys(body.error.fields)]).toEqual([422, ['contact_id']]);
  });

  it('removes a deleted contact from the grid', async () => {
    for (const id of ids.slice(0, 3)) await add(id);
    await world.call(`DELETE /contacts/${ids[1]}`, { token: people.alice.token });
    expect(await order()).toEqual(['C0', 'C2']);
  });
});

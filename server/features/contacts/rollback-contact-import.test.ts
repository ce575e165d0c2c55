import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, importLines, rollBackImport } from '../../testing/contacting.ts';
import { itemsOf } from '../../testing/following.ts';
import { addMember, createGroup, readGroup } from '../../testing/grouping.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /contacts/imports/{batch_id}/rollback', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const book = (who = people.alice) => itemsOf(world, '/contacts?limit=100', who);
  const named = async (name: string) => (await book()).find((one: { name: string }) => one.name === name);
  const edit = (id: string, body: object) => world.call(`PATCH /contacts/${id}`, { token: people.alice.token, body });

  it('takes away what it made and puts back what it changed, exactly', async () => {
    const { alice, bob } = people;
    await addContact(world, alice, { name: 'Dora', phones: [{ number: '+14155550101' }] });
    const before = await book();
    await world.clock.advance(60);
    const batch = await importLines(world, alice, ['Dora,+14155550101,d@x.org', 'Sam,,s@x.org']);
    expect([batch.created, batch.updated]).toEqual([1, 1]);
    const group = await createGroup(world, alice, 'Imported');
    await addMember(world, group, await named('Sam'), alice);
    const theft = await rollBackImport(world, bob, batch);
    expect([theft.status, theft.body.error.code]).toEqual([404, 'not_found']);
    const { status, body } = await rollBackImport(world, alice, batch);
    expect([status, body]).toMatchObject([
      200,
      { ...batch, state: 'rolled_back', rolled_back_at: expect.any(String), left: [] },
    ]);
    expect(await book()).toEqual(before);
    expect((await readGroup(world, group, alice)).members).toEqual([]);
    expect(await itemsOf(world, '/contacts?q=d@x.org', alice)).toEqual([]);
    const { left: _left, ...presented } = body;
    expect((await world.events(`user:${alice.id}`)).at(-1)).toEqual({
      type: 'contact.imported',
      data: { batch: presented },
    });
    const again = await rollBackImport(world, alice, batch);
    expect([again.status, again.body.error.code]).toEqual([409, 'already_rolled_back']);
  });

  it('leaves what was edited or deleted since, and says so', async () => {
    const { alice } = people;
    for (const name of ['Ann', 'Bea', 'Cleo']) await addContact(world, alice, { name });
    const batch = await importLines(
      world,
      alice,
      ['Ann', 'Bea', 'Cleo', 'New one', 'New two', 'New three'].map((name) => `${name},,,x`),
    );
    const [ann, bea, one, two] = [
      await named('Ann'),
      await named('Bea'),
      await named('New one'),
      await named('New two'),
    ];
    await edit(ann.id, { favourite: true });
    await edit(one.id, { favourite: true });
    // What was set and taken back is edited all the same.
    await edit(one.id, { favourite: false });
    await edit(two.id, {});
    for (const { id } of [bea, await named('New three')])
      await world.call(`DELETE /contacts/${id}`, { token: alice.token });
    const { body } = await rollBackImport(world, alice, batch);
    expect(body.left).toEqual([
      { contact_id: ann.id, reason: 'edited' },
      { contact_id: bea.id, reason: 'deleted' },
      { contact_id: one.id, reason: 'edited' },
    ]);
    expect(body.left_count).toBe(3);
    const notes = (await book()).map(({ name, note }: { name: string; note: string }) => [name, note]);
    expect(Object.fromEntries(notes)).toMatchObject({ Ann: 'x', Cleo: '', 'New one': 'x' });
    expect(notes.map(([name]: [string]) => name)).not.toContain('New two');
  });

  it('undoes what it had left for a later import, once that one was undone', async () => {
    const { carol } = people;
    await addContact(world, carol, { name: 'Hana', phones: [{ number: '+14155550161' }] });
    const before = await book(carol);
    const first = await importLines(world, carol, ['Hana,+14155550161,h@x.org', 'Ira,+14155550162']);
    const second = await importLines(world, carol, ['Hana,+14155550161,h2@x.org', 'Ira,+14155550162,i@x.org']);
    expect((await rollBackImport(world, carol, first)).body.left).toHaveLength(2);
    expect((await rollBackImport(world, carol, second)).body.left).toEqual([]);
    const again = await rollBackImport(world, carol, first);
    expect([again.status, again.body.left]).toEqual([200, []]);
    expect(await book(carol)).toEqual(before);
    expect((await rollBackImport(world, carol, first)).status).toBe(409);
  });

  it('undoes one import after another, the last one first', async () => {
    const { alice } = people;
    const fay = await addContact(world, alice, { name: 'Fay', phones: [{ number: '+14155550170' }] });
    const batches = [];
    for (const at of [1, 2]) batches.push(await importLines(world, alice, [`Fay,+14155550170,f${at}@x.org`]));
    const [first, second] = batches;
    expect((await named('Fay')).emails).toHaveLength(2);
    expect((await rollBackImport(world, alice, second)).body.left).toEqual([]);
    expect((await named('Fay')).emails).toHaveLength(1);
    expect((await rollBackImport(world, alice, first)).body.left).toEqual([]);
    expect(await named('Fay')).toEqual(fay);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, importLines, rollBackImport } from '../../testing/steps/contacts.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { addMember, createGroup, readGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /contacts/imports/{batch_id}/rollback', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const contacts = (who = people.alice) => itemsOf(world, '/contacts?limit=100', who);
  const contactNamed = async (name: string) =>
    (await contacts()).find((contact: { name: string }) => contact.name === name);
  const edit = (id: string, body: object) => world.call(`PATCH /contacts/${id}`, { token: people.alice.token, body });

  it('deletes created contacts and restores changed ones exactly', slow, async () => {
    const { alice, bob } = people;
    await addContact(world, alice, { name: 'Dora', phones: [{ number: '+14155550101' }] });
    const before = await contacts();
    await world.clock.advance(60);
    const batch = await importLines(world, alice, ['Dora,+14155550101,d@x.org', 'Sam,,s@x.org']);
    expect([batch.created, batch.updated]).toEqual([1, 1]);
    const group = await createGroup(world, alice, 'Imported');
    await addMember(world, group, await contactNamed('Sam'), alice);
    const foreign = await rollBackImport(world, bob, batch);
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'not_found']);
    const { status, body } = await rollBackImport(world, alice, batch);
    expect([status, body]).toMatchObject([
      200,
      { ...batch, state: 'rolled_back', rolled_back_at: expect.any(String), left: [] },
    ]);
    expect(await contacts()).toEqual(before);
    expect((await readGroup(world, group, alice)).members).toEqual([]);
    expect(await itemsOf(world, '/contacts?q=d@x.org', alice)).toEqual([]);
    const { left: _left, ...presented } = body;
    await world.settle();
    expect((await world.events(`user:${alice.id}`)).at(-1)).toEqual({
      type: 'contact.imported',
      data: { batch: presented },
    });
    const again = await rollBackImport(world, alice, batch);
    expect([again.status, again.body.error.code]).toEqual([409, 'already_rolled_back']);
  });

  it('skips contacts that were edited or deleted since, and lists them', slow, async () => {
    const { alice } = people;
    for (const name of ['Ann', 'Bea', 'Cleo']) await addContact(world, alice, { name });
    const batch = await importLines(
      world,
      alice,
      ['Ann', 'Bea', 'Cleo', 'New one', 'New two', 'New three'].map((name) => `${name},,,x`),
    );
    const [ann, bea, first, second] = [
      await contactNamed('Ann'),
      await contactNamed('Bea'),
      await contactNamed('New one'),
      await contactNamed('New two'),
    ];
    await edit(ann.id, { favourite: true });
    await edit(first.id, { favourite: true });
    // A change that was reverted still counts as an edit.
    await edit(first.id, { favourite: false });
    await edit(second.id, {});
    for (const { id } of [bea, await contactNamed('New three')])
      await world.call(`DELETE /contacts/${id}`, { token: alice.token });
    const { body } = await rollBackImport(world, alice, batch);
    expect(body.left).toEqual([
      { contact_id: ann.id, reason: 'edited' },
      { contact_id: bea.id, reason: 'deleted' },
      { contact_id: first.id, reason: 'edited' },
    ]);
    expect(body.left_count).toBe(3);
    const notes = (await contacts()).map(({ name, note }: { name: string; note: string }) => [name, note]);
    expect(Object.fromEntries(notes)).toMatchObject({ Ann: 'x', Cleo: '', 'New one': 'x' });
    expect(notes.map(([name]: [string]) => name)).not.toContain('New two');
  });

  it('restores contacts that a later import had changed, once that import is rolled back', slow, async () => {
    const { carol } = people;
    await addContact(world, carol, { name: 'Hana', phones: [{ number: '+14155550161' }] });
    const before = await contacts(carol);
    const first = await importLines(world, carol, ['Hana,+14155550161,h@x.org', 'Ira,+14155550162']);
    const second = await importLines(world, carol, ['Hana,+14155550161,h2@x.org', 'Ira,+14155550162,i@x.org']);
    expect((await rollBackImport(world, carol, first)).body.left).toHaveLength(2);
    expect((await rollBackImport(world, carol, second)).body.left).toEqual([]);
    const again = await rollBackImport(world, carol, first);
    expect([again.status, again.body.left]).toEqual([200, []]);
    expect(await contacts(carol)).toEqual(before);
    expect((await rollBackImport(world, carol, first)).status).toBe(409);
  });

  it('rolls back several imports, the last one first', async () => {
    const { alice } = people;
    const fay = await addContact(world, alice, { name: 'Fay', phones: [{ number: '+14155550170' }] });
    const batches = [];
    for (const at of [1, 2]) batches.push(await importLines(world, alice, [`Fay,+14155550170,f${at}@x.org`]));
    const [first, second] = batches;
    expect((await contactNamed('Fay')).emails).toHaveLength(2);
    expect((await rollBackImport(world, alice, second)).body.left).toEqual([]);
    expect((await contactNamed('Fay')).emails).toHaveLength(1);
    expect((await rollBackImport(world, alice, first)).body.left).toEqual([]);
    expect(await contactNamed('Fay')).toEqual(fay);
  });
});

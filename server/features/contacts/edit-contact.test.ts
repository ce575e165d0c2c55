import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, setReach, matchedUser } from '../../testing/steps/contacts.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /contacts/{contact_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const edit = (id: string, body: object) => world.call(`PATCH /contacts/${id}`, { token: people.alice.token, body });

  it('changes only the given fields, and matches the account again', async () => {
    const { alice, bob, carol } = people;
    for (const who of [bob, carol]) await setReach(world, who, { find: 'everyone' });
    const before = await addContact(world, alice, {
      phones: [{ label: 'work', number: bob.mobile_number }],
      note: 'Old',
    });
    await world.clock.advance(60);
    const { status, body } = await edit(before.id, { note: 'New', favourite: true, tag_name: 'jazz' });
    expect([status, body.user.username]).toEqual([200, 'bob']);
    expect(body).toMatchObject({ phones: before.phones, note: 'New', favourite: true, tag_name: 'jazz' });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect(body.created_at).toBe(before.created_at);
    const moved = await edit(before.id, { phones: [{ number: carol.mobile_number }], tag_name: null });
    expect(moved.body).toMatchObject({ tag_name: null, phones: [{ label: 'other', number: carol.mobile_number }] });
    expect(await matchedUser(world, alice, before)).toBe('carol');
    const events = await world.events(`user:${alice.id}`);
    expect(events.at(-1)).toEqual({ type: 'contact.updated', data: { contact: moved.body } });
  });

  it('changes nothing, not even updated_at, if the values are equal', async () => {
    const before = await addContact(world, people.alice, { name: 'Same', phones: [{ number: '+14155550190' }] });
    await world.clock.advance(60);
    const { body } = await edit(before.id, { name: 'Same ', phones: [{ number: '(415) 555-0190' }] });
    expect(body).toEqual(before);
    expect((await edit(before.id, {})).body).toEqual(before);
  });

  it('rejects an invalid number and then changes nothing', async () => {
    const before = await addContact(world, people.alice, { name: 'Whole' });
    const { status, body } = await edit(before.id, { name: 'Half', phones: [{ number: '12' }] });
    expect([status, Object.keys(body.error.fields)]).toEqual([422, ['phones.0.number']]);
    const { body: now } = await world.call(`GET /contacts/${before.id}`, { token: people.alice.token });
    expect(now).toEqual(before);
  });
});

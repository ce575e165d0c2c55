import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, setReach, matchedUser } from '../../testing/steps/contacts.ts';
import { block, follow, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, register, verifyMobile, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /contacts/{contact_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('matches an account by number, e-mail and tag if its reach allows the caller to find it', async () => {
    const { alice, bob } = people;
    await createTag(world, bob, 'bobs');
    const contacts = {
      number: await addContact(world, alice, { phones: [{ number: bob.mobile_number }] }),
      email: await addContact(world, alice, { emails: [{ address: bob.email.toUpperCase() }] }),
      tag: await addContact(world, alice, { tag_name: 'Bobs' }),
    };
    const found = async () => {
      const names = [];
      for (const contact of Object.values(contacts)) names.push(await matchedUser(world, alice, contact));
      return names;
    };
    const none_matched = [null, null, null];
    const all_matched = ['bob', 'bob', 'bob'];
    // By default, only contacts of bob can find him, and he has none yet.
    expect(await found()).toEqual(none_matched);
    await setReach(world, bob, { find: 'everyone' });
    expect(await found()).toEqual(all_matched);
    await setReach(world, bob, { find: 'contacts' });
    const hers = await addContact(world, bob, { name: 'Her', phones: [{ number: alice.mobile_number }] });
    expect(await found()).toEqual(all_matched);
    await world.call(`DELETE /contacts/${hers.id}`, { token: bob.token });
    expect(await found()).toEqual(none_matched);
    await addContact(world, bob, { name: 'Her', emails: [{ address: alice.email }] });
    expect(await found()).toEqual(all_matched);
    await setReach(world, bob, { find: 'mutual' });
    expect(await found()).toEqual(none_matched);
    await follow(world, await createTag(world, alice, 'hers'), bob);
    await follow(world, { id: (await world.call('GET /xtags', { token: bob.token })).body.items[0].id }, alice);
    expect(await found()).toEqual(all_matched);
    await setReach(world, bob, { find: 'none' });
    expect(await found()).toEqual(none_matched);
    await setReach(world, bob, { find: 'everyone' });
    await block(world, bob, alice);
    expect(await found()).toEqual(none_matched);
  });

  it('returns the same for a number without account as for one of an account that cannot be found', async () => {
    const { alice, carol } = people;
    const hidden = await addContact(world, alice, { phones: [{ number: carol.mobile_number }] });
    const none = await addContact(world, alice, { phones: [{ number: '+14155550198' }] });
    const shown = async ({ id }: { id: string }) => {
      const { body } = await world.call(`GET /contacts/${id}`, { token: alice.token });
      // Except for the times of creation, which may differ by a second.
      return { ...body, id: '', phones: [], created_at: '', updated_at: '' };
    };
    expect(await shown(hidden)).toEqual(await shown(none));
  });

  it('matches verified numbers only, and follows a number that changes its owner', async () => {
    const { carol } = people;
    const [dora, erik] = [await register(world, 'dora', 50), await register(world, 'erik', 51)];
    for (const who of [dora, erik]) await setReach(world, who, { find: 'everyone' });
    const contact = await addContact(world, carol, { phones: [{ number: dora.mobile_number }] });
    expect(await matchedUser(world, carol, contact)).toBe('dora');
    await world.call('PUT /me/mobile', { token: dora.token, body: { mobile_number: '+14155550777' } });
    expect(await matchedUser(world, carol, contact)).toBe(null);
    await verifyMobile(world, { ...erik, mobile_number: dora.mobile_number });
    expect(await matchedUser(world, carol, contact)).toBe('erik');
    await world.call('DELETE /me', { token: erik.token, body: { password: erik.password } });
    expect(await matchedUser(world, carol, contact)).toBe(null);
  });

  it('never matches the caller or a private tag, and prefers the number to the tag', async () => {
    const { alice, carol, bob } = people;
    for (const who of [alice, carol]) await setReach(world, who, { find: 'everyone' });
    const own = await addContact(world, alice, { phones: [{ number: alice.mobile_number }] });
    expect(await matchedUser(world, alice, own)).toBe(null);
    await createTag(world, alice, 'closed', { visibility: 'private' });
    const closed = await addContact(world, carol, { tag_name: 'closed' });
    expect(await matchedUser(world, carol, closed)).toBe(null);
    await createTag(world, alice, 'open');
    const ambiguous = await addContact(world, bob, { tag_name: 'open', phones: [{ number: carol.mobile_number }] });
    await world.call(`DELETE /blocks/${alice.id}`, { token: bob.token });
    expect(await matchedUser(world, bob, ambiguous)).toBe('carol');
    await world.call(`PATCH /contacts/${ambiguous.id}`, { token: bob.token, body: { phones: [] } });
    expect(await matchedUser(world, bob, ambiguous)).toBe('alice');
  });

  it('returns 404 to other users, like PATCH and DELETE', async () => {
    const { alice, bob } = people;
    const contact = await addContact(world, alice, {});
    for (const route of ['GET', 'PATCH', 'DELETE']) {
      const request = (id: string) =>
        world.call(`${route} /contacts/${id}`, { token: bob.token, ...(route === 'PATCH' ? { body: {} } : {}) });
      const [hers, none] = [await request(contact.id), await request(`con_${'0'.repeat(26)}`)];
      expect([hers.status, hers.body]).toEqual([404, none.body]);
    }
  });
});

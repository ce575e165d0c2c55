import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /me', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const update = (token: string, body: object) => world.call('PATCH /me', { token, body });

  it('changes only the given fields', async () => {
    const { token } = people.alice;
    const first = await update(token, { display_name: 'Alice A.', bio: 'Hello.', timezone: 'Europe/Vienna' });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      display_name: 'Alice A.',
      bio: 'Hello.',
      timezone: 'Europe/Vienna',
      locale: 'en',
    });
    const second = await update(token, { bio: '', locale: 'de-AT' });
    expect(second.body).toMatchObject({
      display_name: 'Alice A.',
      bio: '',
      timezone: 'Europe/Vienna',
      locale: 'de-AT',
    });
    expect((await update(token, {})).body).toEqual(second.body);
    expect((await world.call('GET /me', { token })).body).toMatchObject(second.body);
  });

  it('emits to the devices of the account which fields were given, and no values', async () => {
    const { id, token } = people.uma;
    await update(token, { bio: 'A secret', read_receipts: false });
    await update(token, {});
    const events = (await world.events(`user:${id}`)).filter(({ type }) => type === 'me.updated');
    expect(events).toEqual([{ type: 'me.updated', data: { fields: ['bio', 'read_receipts'] } }]);
  });

  it('changes one field of reach and leaves the others', async () => {
    const { body } = await update(people.bob.token, { reach: { call: 'none' } });
    expect(body.reach).toEqual({ message: 'everyone', call: 'none', add: 'everyone', find: 'contacts' });
  });

  it('rejects invalid values with 422 for the field, and then changes nothing', async () => {
    const { token } = people.carol;
    const invalid = {
      timezone: 'Mars/Olympus',
      display_name: '',
      locale: 'x',
      bio: 'x'.repeat(501),
      reach: { call: 'some' },
    };
    for (const [field, value] of Object.entries(invalid)) {
      const { status, body } = await update(token, { [field]: value });
      expect([status, Object.keys(body.error.fields)[0]?.split('.')[0]]).toEqual([422, field]);
    }
    expect((await update(token, { timezone: '+02:00' })).status).toBe(422);
    const mixed = await update(token, { bio: 'kept?', timezone: 'Mars/Olympus' });
    expect(mixed.status).toBe(422);
    expect((await world.call('GET /me', { token })).body.bio).toBe('');
  });

  it('rejects changes of username, addresses and tier', async () => {
    for (const field of ['username', 'email', 'mobile_number', 'mobile_verified', 'tier']) {
      const { status, body } = await update(people.uma.token, { [field]: 'x' });
      expect([status, Object.keys(body.error.fields)]).toEqual([422, [field]]);
    }
  });

  it('rejects invalid and out-of-range times', async () => {
    const { token } = people.carol;
    for (const time of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00', '2030-02-31T00:00:00Z']) {
      const { status, body } = await update(token, { do_not_disturb_until: time });
      expect([status, Object.keys(body.error?.fields ?? {})]).toEqual([422, ['do_not_disturb_until']]);
    }
    const updated = await update(token, { do_not_disturb_until: '2030-02-28T12:00:00.5+02:00' });
    expect(updated.body.do_not_disturb_until).toBe('2030-02-28T10:00:00Z');
  });

  it('loses none of several concurrent changes', async () => {
    const { token } = people.bob;
    const kinds = ['follow', 'reply', 'comment', 'mention', 'group_invite', 'group_joined'];
    await Promise.all(kinds.map((kind) => update(token, { notifications: { [kind]: false } })));
    const { body } = await world.call('GET /me', { token });
    expect(kinds.map((kind) => body.notifications[kind])).toEqual(kinds.map(() => false));
  });
});

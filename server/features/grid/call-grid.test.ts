import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, requestGrants, simulatePhone } from '../../testing/steps/calls.ts';
import { addContact, setReach } from '../../testing/steps/contacts.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /grid/calls', () => {
  let world: World;
  let people: Personas;
  let ids: Record<string, string>;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    const { alice, bob, carol } = people;
    for (const who of [bob, carol]) await setReach(world, who, { find: 'everyone' });
    const contacts = {
      Bob: await addContact(world, alice, { name: 'Bob', phones: [{ number: bob.mobile_number }] }),
      Gran: await addContact(world, alice, { name: 'Gran', phones: [{ number: '+493012345678' }] }),
      Carol: await addContact(world, alice, { name: 'Carol', emails: [{ address: carol.email }] }),
      Nobody: await addContact(world, alice, { name: 'Nobody' }),
      Hotline: await addContact(world, alice, { name: 'Hotline', phones: [{ number: '+499001234567' }] }),
    };
    ids = Object.fromEntries(Object.entries(contacts).map(([name, { id }]) => [name, id]));
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const call = () => world.call('POST /grid/calls', { token: people.alice.token, body: {} });
  const tiles = async () => {
    const { body } = await world.call('GET /grid', { token: people.alice.token });
    return Object.fromEntries(
      body.members.map((tile: { contact: { name: string }; state: string }) => [tile.contact.name, tile.state]),
    );
  };

  it('returns 409 nobody_to_call if the grid is empty', async () => {
    const { status, body } = await call();
    expect([status, body.error.code]).toEqual([409, 'nobody_to_call']);
  });

  it('rings users and phones at once, and shows the state of each on its tile', async () => {
    const { alice, bob } = people;
    for (const contact_id of Object.values(ids))
      await world.call('POST /grid/members', { token: alice.token, body: { contact_id } });
    const { status, body } = await call();
    expect(status).toBe(201);
    expect(body.participants.map((item: { name: string }) => item.name)).toEqual(['alice', 'bob', 'Gran', 'carol']);
    expect(body.participants[2]).toMatchObject({ contact_id: ids['Gran'], phone: '+493012345678' });
    expect(await tiles()).toEqual({
      Bob: 'ringing',
      Gran: 'ringing',
      Carol: 'ringing',
      Nobody: 'idle',
      Hotline: 'idle',
    });
    await requestGrants(world, body.join_code, alice, bob);
    await connectMedia(world, body.conference_id, alice, bob);
    await simulatePhone(world, '+493012345678', 'busy');
    await world.call(`POST /calls/${body.join_code}/decline`, { token: people.carol.token, body: {} });
    expect(await tiles()).toMatchObject({ Bob: 'joined', Gran: 'busy', Carol: 'declined' });
    const seen = (await world.events(`user:${bob.id}`)).at(-1)?.data.call.participants[2];
    expect(seen).toMatchObject({ name: 'Gran', contact_id: null, phone: '•••••••••••78' });
    // Calls one of them again with one request.
    const to = [{ contact_id: ids['Gran'] }];
    await world.call('POST /calls/active/participants', { token: alice.token, body: { to } });
    expect(await tiles()).toMatchObject({ Bob: 'joined', Gran: 'ringing', Carol: 'declined' });
    const second = await call();
    expect([second.status, second.body.error.code]).toEqual([409, 'call_in_progress']);
  });

  it('ends for all with DELETE /grid/calls, which then returns 404', async () => {
    await world.call('POST /grid/members', { token: people.alice.token, body: { contact_id: ids['Bob'] } });
    expect([(await call()).status, await tiles()]).toEqual([201, { Bob: 'ringing' }]);
    const end = async () => (await world.call('DELETE /grid/calls', { token: people.alice.token })).status;
    expect([await end(), await end()]).toEqual([204, 404]);
    expect(await tiles()).toEqual({ Bob: 'idle' });
  });

  it('admits a full grid of the free plan and its owner, and no one else', async () => {
    const { bob } = people;
    for (const at of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const { id } = await addContact(world, bob, { name: `Phone ${at}`, phones: [{ number: `+4930123456${at}0` }] });
      await world.call('POST /grid/members', { token: bob.token, body: { contact_id: id } });
    }
    const { status, body } = await world.call('POST /grid/calls', { token: bob.token, body: {} });
    expect([status, body.participants?.length]).toEqual([201, 9]);
    const to = [{ user_id: people.carol.id }];
    const more = await world.call('POST /calls/active/participants', { token: bob.token, body: { to } });
    expect([more.status, more.body.error.code]).toEqual([403, 'plan_limit_reached']);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admitGuest, requestEntry, startOpenCall } from '../testing/steps/link-guests.ts';
import { findPersonas, type Personas } from '../testing/world/personas.ts';
import { restoreBeforeEach } from '../testing/world/restore-world.ts';
import { poll } from '../testing/running/running-service.ts';
import { createWorld, type World } from '../testing/world/world.ts';
import { createPresence, type PresenceTracker } from './presence.ts';
import { slow } from '../../testing/slow-tests.ts';

describe('presence of the guests of a call', () => {
  let world: World;
  let people: Personas;
  let presence: PresenceTracker;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    presence = createPresence(world.app.services, 'one', 5);
  });
  afterAll(async () => {
    presence.close();
    await world.close();
  });
  restoreBeforeEach(() => world);

  const listed = async (join_code: string) => {
    const { body } = await world.call(`GET /calls/${join_code}/guests`, { token: people.alice.token });
    return (body.items as { name: string; state: string }[]).map(({ name, state }) => `${name} ${state}`);
  };
  /** The events about guests that the host has received. */
  const received = async () =>
    (await world.events(`user:${people.alice.id}`))
      .filter(({ type }) => type.startsWith('call.guest_'))
      .map(({ type, data }) => `${type} ${data.guest.state}`);
  const waitForEvents = (...expected: string[]) =>
    poll(async () => (await received()).join() === expected.join(), `the events ${expected.join()}`);
  const rows = async () => (await world.app.services.db.native.query('select guest_id from presence')).rows;

  it('hides a waiting guest who has closed the page, until they open it again', slow, async () => {
    const { join_code } = await startOpenCall(world, people.alice);
    const { guest, token } = (await requestEntry(world, join_code)).body;
    expect(await listed(join_code)).toEqual(['Gina waiting']);
    const leaves = [presence.arrive(guest.id), presence.arrive(guest.id)];
    await poll(async () => (await rows()).length === 1, 'the row');
    leaves[0]?.();
    expect(await listed(join_code)).toEqual(['Gina waiting']);
    leaves[1]?.();
    await waitForEvents('call.guest_asked waiting', 'call.guest_decided away');
    expect(await listed(join_code)).toEqual([]);
    expect((await world.call(`GET /calls/${join_code}/guest`, { token })).body.state).toBe('waiting');
    presence.arrive(guest.id);
    await waitForEvents('call.guest_asked waiting', 'call.guest_decided away', 'call.guest_asked waiting');
    expect(await listed(join_code)).toEqual(['Gina waiting']);
  });

  it('gives the place of a guest who is away to another', slow, async () => {
    const { join_code } = await startOpenCall(world, people.alice);
    const ids = [];
    for (let count = 0; count < 20; count++)
      ids.push((await requestEntry(world, join_code, `Guest ${count}`, `10.9.1.${count}`)).body.guest.id);
    expect((await requestEntry(world, join_code, 'Late', '10.9.2.1')).status).toBe(403);
    const leave = presence.arrive(ids[7]);
    await poll(async () => (await rows()).length === 1, 'the row');
    leave();
    await poll(async () => (await listed(join_code)).length === 19, 'the guest to be away');
    expect((await requestEntry(world, join_code, 'Late', '10.9.2.1')).status).toBe(201);
  });

  it('tells nobody of an admitted guest, whom the call itself shows', async () => {
    const { join_code } = await startOpenCall(world, people.alice);
    const { id } = await admitGuest(world, people.alice, join_code);
    const leave = presence.arrive(id);
    await poll(async () => (await rows()).length === 1, 'the row');
    leave();
    await poll(async () => (await rows()).length === 0, 'the row to be removed');
    expect(await received()).toEqual(['call.guest_asked waiting', 'call.guest_decided admitted']);
  });
});

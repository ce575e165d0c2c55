import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { updateGuestPresence } from '../../domain/calls/link-guests.ts';
import { change } from '../../kernel/services.ts';
import { insertPresence } from '../realtime/queries.ts';
import { connect_s } from './jobs.ts';
import { advanceTime } from '../../testing/steps/calls.ts';
import { requestEntry, decideOnGuest, startOpenCall } from '../../testing/steps/link-guests.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /calls/{join_code}/guests', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(() => world.call('DELETE /calls/active', { token: people.alice.token }));

  it('lists waiting guests in the order of their requests, to the host only', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const list = (who: Persona) => world.call(`GET /calls/${join_code}/guests`, { token: who.token });
    const gina = (await requestEntry(world, join_code)).body.guest;
    const wim = (await requestEntry(world, join_code, 'Wim')).body.guest;
    expect((await list(alice)).body.items).toEqual([gina, wim]);
    await decideOnGuest(world, alice, join_code, gina.id);
    expect((await list(alice)).body.items).toEqual([wim]);
    expect((await list(bob)).status).toBe(403);
    expect((await list(carol)).status).toBe(404);
    // The token of a guest expires before the call ends.
    await world.clock.advance(4 * 3600 + 1);
    await world.app.services.db.native.query("update session_tokens set expires_at = 'infinity'");
    world.app.services.sessions.drop(alice.session_id);
    expect((await list(alice)).body.items).toEqual([]);
  });

  it('omits a guest who has not connected half a minute after asking, until they do', async () => {
    const { alice } = people;
    const { join_code } = await startOpenCall(world, alice);
    const list = () => world.call(`GET /calls/${join_code}/guests`, { token: alice.token });
    const { guest } = (await requestEntry(world, join_code)).body;
    const { guest: connected } = (await requestEntry(world, join_code, 'Wim')).body;
    await change(world.app.services, ({ db, now }) => insertPresence(db, connected.id, 'one', now));
    await advanceTime(world, connect_s - 1);
    expect((await list()).body.items).toEqual([guest, connected]);
    await advanceTime(world, 2);
    expect((await list()).body.items).toEqual([connected]);
    const decided = (await world.events(`user:${alice.id}`)).filter(({ type }) => type === 'call.guest_decided');
    expect(decided.at(-1)?.data.guest).toEqual({ ...guest, state: 'away' });
    await change(world.app.services, (one) => updateGuestPresence(one, guest.id, true));
    expect((await list()).body.items).toEqual([guest, connected]);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startCallWithGuest } from '../../testing/steps/link-guests.ts';
import { listenTo, storedTypes } from '../../testing/world/listening.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { startRecordableCall } from '../../testing/samples/recording.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /calls/active/mute', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(() => world.call('DELETE /calls/active', { token: people.alice.token }));

  const muteOthers = (who: Persona) => world.call('POST /calls/active/mute', { token: who.token, body: {} });

  it('mutes everybody in the call except the host who asks', async () => {
    const { alice, bob, carol } = people;
    const muted = vi.spyOn(world.app.services.media, 'mute');
    const { conference_id } = await startRecordableCall(world, alice, bob, carol);
    expect((await muteOthers(bob)).status).toBe(403);
    expect(muted).not.toHaveBeenCalled();
    const { status, body } = await muteOthers(alice);
    expect([status, body]).toEqual([200, { failed: [] }]);
    expect(muted.mock.calls).toHaveLength(2);
    expect(muted.mock.calls).toEqual(
      expect.arrayContaining([
        [conference_id, bob.id],
        [conference_id, carol.id],
      ]),
    );
    muted.mockRestore();
  });

  const participantIdOf = async (join_code: string, { id }: Persona): Promise<string> => {
    const { body } = await world.call(`GET /calls/${join_code}`, { token: people.alice.token });
    return body.participants.find(({ user }: { user: { id: string } | null }) => user?.id === id).id;
  };

  it('may be done by a co-host, who mutes the host and guests as well, and not by a guest', slow, async () => {
    const { alice, bob, carol } = people;
    const { join_code, conference_id, guest, participant_id } = await startCallWithGuest(world, alice, [bob, carol]);
    const role = `PUT /calls/active/participants/${await participantIdOf(join_code, bob)}/role`;
    expect((await world.call(role, { token: alice.token, body: { role: 'co_host' } })).status).toBe(200);
    const muted = vi.spyOn(world.app.services.media, 'mute');
    // A guest has no such operation, also for themselves.
    for (const route of ['mute', `participants/${participant_id}/mute`])
      expect((await world.call(`POST /calls/active/${route}`, { token: guest.token, body: {} })).status).toBe(403);
    expect(muted).not.toHaveBeenCalled();
    const [to_alice, to_guest, to_bob] = [
      await listenTo(world, alice, 'call.muted'),
      await listenTo(world, guest, 'call.muted'),
      await listenTo(world, bob, 'call.muted'),
    ];
    expect((await muteOthers(bob)).status).toBe(200);
    const identities = muted.mock.calls.map(([room, identity]) => [room, identity]);
    expect(identities.toSorted()).toEqual(
      [alice.id, carol.id, participant_id].map((identity) => [conference_id, identity]).toSorted(),
    );
    // Whoever is muted learns by whom.
    for (const received of [to_alice, to_guest])
      await expect.poll(() => received()).toMatchObject([{ join_code, by: { id: bob.id, username: 'bob' } }]);
    expect(to_bob()).toEqual([]);
    expect(await storedTypes(world)).not.toContain('call.muted');
    // As with one participant: a co-host mutes the host as well.
    muted.mockClear();
    const host = await participantIdOf(join_code, alice);
    const one = await world.call(`POST /calls/active/participants/${host}/mute`, { token: bob.token, body: {} });
    expect([one.status, muted.mock.calls]).toEqual([204, [[conference_id, alice.id]]]);
    muted.mockRestore();
  });

  it('reports who could not be muted, and mutes the others', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob, carol);
    const muted = vi.spyOn(world.app.services.media, 'mute').mockImplementation(async (_room, identity) => {
      if (identity === bob.id) throw new Error('the media server does not answer');
    });
    const { status, body } = await muteOthers(alice);
    expect([status, body]).toEqual([200, { failed: [await participantIdOf(join_code, bob)] }]);
    expect(muted.mock.calls.map(([, identity]) => identity).toSorted()).toEqual([bob.id, carol.id].toSorted());
    muted.mockRestore();
  });

  it('is 404 without a call', async () => {
    expect((await muteOthers(people.alice)).status).toBe(404);
  });
});

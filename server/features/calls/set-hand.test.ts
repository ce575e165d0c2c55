import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, requestGrants, startCall } from '../../testing/steps/calls.ts';
import { requestEntry, startCallWithGuest, startOpenCall } from '../../testing/steps/link-guests.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { startRecordableCall } from '../../testing/samples/recording.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /calls/{join_code}/hand', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(() => world.call('DELETE /calls/active', { token: people.alice.token }));

  const setHand = (join_code: string, { token }: Persona, body: object) =>
    world.call(`PUT /calls/${join_code}/hand`, { token, body });
  type Participant = { id: string; user: { username: string }; hand_raised_at: string | null };
  async function participantOf(join_code: string, who: Persona): Promise<Participant> {
    const { body } = await world.call(`GET /calls/${join_code}`, { token: people.alice.token });
    return body.participants.find(({ user }: Participant) => user.username === who.username);
  }

  it('is visible to all participants, and lowered by its owner or the host', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob, carol);
    expect((await setHand(join_code, bob, { raised: true })).status).toBe(200);
    const { id, hand_raised_at } = await participantOf(join_code, bob);
    expect(hand_raised_at).not.toBeNull();
    const participants = (await world.events(`user:${carol.id}`)).at(-1)?.data.call.participants;
    expect(participants.map((participant: Participant) => participant.hand_raised_at)).toContain(hand_raised_at);
    // Raising it again keeps the time at which it was raised.
    await setHand(join_code, bob, { raised: true });
    expect((await participantOf(join_code, bob)).hand_raised_at).toBe(hand_raised_at);
    const others = await setHand(join_code, carol, { raised: false, participant_id: id });
    expect([others.status, others.body.error.code]).toEqual([403, 'forbidden']);
    expect((await setHand(join_code, alice, { raised: true, participant_id: id })).status).toBe(403);
    expect((await setHand(join_code, alice, { raised: false, participant_id: id })).status).toBe(200);
    expect((await participantOf(join_code, bob)).hand_raised_at).toBeNull();
  });

  it('is not sent to people who have not answered, who are notified of the end', async () => {
    const { alice, bob, carol } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob, carol]);
    await requestGrants(world, join_code, alice, bob);
    await connectMedia(world, conference_id, alice, bob);
    await world.call(`POST /calls/${join_code}/decline`, { token: carol.token, body: {} });
    const eventsOf = async (who: Persona) =>
      (await world.events(`user:${who.id}`)).flatMap(({ type }) => (type.startsWith('call.') ? [type] : []));
    const before = { bob: await eventsOf(bob), carol: await eventsOf(carol) };
    expect((await setHand(join_code, bob, { raised: true })).status).toBe(200);
    expect(await eventsOf(bob)).toEqual([...before.bob, 'call.updated']);
    expect(await eventsOf(carol)).toEqual(before.carol);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect((await eventsOf(carol)).at(-1)).toBe('call.ended');
  });

  it('is lowered when its owner leaves, and stays lowered when they rejoin', async () => {
    const { alice, bob } = people;
    const { join_code, conference_id } = await startRecordableCall(world, alice, bob);
    await setHand(join_code, bob, { raised: true });
    await world.call(`POST /calls/${join_code}/leave`, { token: bob.token, body: {} });
    expect((await participantOf(join_code, bob)).hand_raised_at).toBeNull();
    await requestGrants(world, join_code, bob);
    await connectMedia(world, conference_id, alice, bob);
    expect((await participantOf(join_code, bob)).hand_raised_at).toBeNull();
  });

  it('is raised and lowered by a guest, in the call in which they are, and lowered by hosts', async () => {
    const { alice, bob } = people;
    const { join_code, guest, participant_id } = await startCallWithGuest(world, alice, [bob]);
    const setGuestHand = (code: string, body: object) =>
      world.call(`PUT /calls/${code}/hand`, { token: guest.token, body });
    const handOf = async ({ token }: { token: string }): Promise<string | null> => {
      const { body } = await world.call(`GET /calls/${join_code}`, { token });
      return body.participants.find(({ id }: Participant) => id === participant_id).hand_raised_at;
    };
    const raised = await setGuestHand(join_code, { raised: true });
    expect([raised.status, await handOf(bob)]).toEqual([200, expect.any(String)]);
    const seen = (await world.events(`user:${bob.id}`)).at(-1)?.data.call.participants;
    expect(seen).toContainEqual(
      expect.objectContaining({ id: participant_id, name: 'Gina', hand_raised_at: expect.any(String) }),
    );
    expect((await setGuestHand(join_code, { raised: false })).status).toBe(200);
    expect(await handOf(bob)).toBeNull();
    // Hosts lower a guest's hand, alone or with all others; a guest lowers nobody else's.
    for (const lower of [
      () => setHand(join_code, alice, { raised: false, participant_id }),
      () => world.call('DELETE /calls/active/hands', { token: alice.token }),
    ]) {
      await setGuestHand(join_code, { raised: true });
      expect([(await lower()).status, await handOf(guest)]).toEqual([200, null]);
    }
    await setHand(join_code, bob, { raised: true });
    const { id } = await participantOf(join_code, bob);
    const others = await setGuestHand(join_code, { raised: false, participant_id: id });
    expect([others.status, others.body.error.code]).toEqual([403, 'forbidden']);
    expect((await world.call('DELETE /calls/active/hands', { token: guest.token })).status).toBe(403);
    expect((await setGuestHand('aaa-bbbb-ccc', { raised: true })).status).toBe(404);
    await world.call(`POST /calls/${join_code}/leave`, { token: guest.token, body: {} });
    expect((await setGuestHand(join_code, { raised: true })).status).toBe(404);
  });

  it('does not exist for a guest who has not been admitted', async () => {
    const { alice } = people;
    const { join_code } = await startOpenCall(world, alice);
    const { body } = await requestEntry(world, join_code);
    const raised = await world.call(`PUT /calls/${join_code}/hand`, { token: body.token, body: { raised: true } });
    expect(raised.status).toBe(404);
  });

  it('returns 404 outside of the call and for unknown participants', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob);
    expect((await setHand(join_code, carol, { raised: true })).status).toBe(404);
    const unknown = { raised: false, participant_id: 'part_00000000000000000000000000' };
    expect((await setHand(join_code, alice, unknown)).status).toBe(404);
  });
});

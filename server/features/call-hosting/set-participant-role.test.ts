import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { requestEntry, decideOnGuest } from '../../testing/steps/link-guests.ts';
import { findPersonas, register, type Persona, type Personas } from '../../testing/world/personas.ts';
import { startRecordableCall } from '../../testing/samples/recording.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

type Participant = { id: string; user: { id: string } | null; role: string; state: string };

describe('PUT /calls/active/participants/{participant_id}/role', () => {
  let world: World;
  let people: Personas;
  let dora: Persona;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    dora = await register(world, 'dora', 77);
  });
  afterAll(() => world.close());
  afterEach(async () => {
    for (const { token } of [people.alice, people.bob, people.carol, dora])
      await world.call('DELETE /calls/active', { token });
  });

  const request = (who: Persona, route: string, body?: object) => world.call(route, { token: who.token, body });
  const participantsOf = async (join_code: string, viewer: Persona): Promise<Participant[]> =>
    (await request(viewer, `GET /calls/${join_code}`)).body.participants;
  const idOf = (participants: Participant[], who: Persona) =>
    participants.find(({ user }) => user?.id === who.id)?.id ?? '';
  const setRole = (who: Persona, id: string, role: string) =>
    request(who, `PUT /calls/active/participants/${id}/role`, { role });

  it('lets a co-host manage guests and participants like the host, but not the host or other co-hosts', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob, carol, dora);
    const participants = await participantsOf(join_code, alice);
    const [of_alice, of_bob, of_carol, of_dora] = [alice, bob, carol, dora].map((who) => idOf(participants, who));
    const muted = vi.spyOn(world.app.services.media, 'mute');
    const mute = (who: Persona) => request(who, `POST /calls/active/participants/${of_carol}/mute`, {});
    const remove = (who: Persona, id = '') => request(who, `DELETE /calls/active/participants/${id}`);
    expect((await mute(bob)).status).toBe(403);
    expect((await setRole(bob, of_bob ?? '', 'co_host')).status).toBe(403);
    const promoted = await setRole(alice, of_bob ?? '', 'co_host');
    expect([promoted.status, promoted.body.participants.find(({ id }: Participant) => id === of_bob).role]).toEqual([
      200,
      'co_host',
    ]);
    await setRole(alice, of_carol ?? '', 'co_host');
    expect((await world.events(`user:${bob.id}`)).at(-1)?.type).toBe('call.updated');

    expect((await mute(bob)).status).toBe(204);
    expect(muted).toHaveBeenCalledTimes(1);
    muted.mockRestore();
    await request(dora, `PUT /calls/${join_code}/hand`, { raised: true });
    const lowered = await request(bob, `PUT /calls/${join_code}/hand`, { raised: false, participant_id: of_dora });
    expect(lowered.status).toBe(200);
    expect((await request(bob, 'PATCH /calls/active', { guests: 'ask' })).body.guests).toBe('ask');
    const gina = (await requestEntry(world, join_code)).body;
    const event = (await world.events(`user:${bob.id}`)).at(-1);
    expect([event?.type, event?.data.guest.id]).toEqual(['call.guest_asked', gina.guest.id]);
    expect((await request(bob, `GET /calls/${join_code}/guests`)).body.items).toHaveLength(1);
    expect((await decideOnGuest(world, bob, join_code, gina.guest.id)).body.state).toBe('admitted');
    expect((await remove(bob, of_alice)).status).toBe(403);
    expect((await remove(bob, of_carol)).status).toBe(403);
    expect((await remove(bob, of_dora)).status).toBe(204);
    expect((await request(bob, 'PUT /calls/active/host', { participant_id: of_bob })).status).toBe(403);

    await setRole(alice, of_bob ?? '', 'guest');
    expect((await mute(bob)).status).toBe(403);
    expect((await remove(alice, of_carol)).status).toBe(204);
    expect((await participantsOf(join_code, alice)).map(({ role }) => role)).not.toContain('co_host');
  });

  it('applies to participants with an account; a co-host becomes host when the host leaves', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob, carol);
    const participants = await participantsOf(join_code, alice);
    expect((await setRole(alice, idOf(participants, alice), 'co_host')).status).toBe(403);
    expect((await setRole(alice, 'part_00000000000000000000000000', 'co_host')).status).toBe(404);
    expect((await setRole(dora, idOf(participants, bob), 'co_host')).status).toBe(404);
    expect((await setRole(alice, idOf(participants, bob), 'host')).body.error.fields).toHaveProperty('role');
    await setRole(alice, idOf(participants, carol), 'co_host');
    await request(alice, `POST /calls/${join_code}/leave`, {});
    await world.settle();
    const after = await request(bob, `GET /calls/${join_code}`);
    expect(after.body.host.id).toBe(carol.id);
  });
});

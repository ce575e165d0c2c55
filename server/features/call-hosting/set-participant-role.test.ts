import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { requestEntry, decideOnGuest } from '../../testing/link-guests.ts';
import { findPersonas, register, type Persona, type Personas } from '../../testing/personas.ts';
import { startRecordableCall } from '../../testing/recording.ts';
import { createWorld, type World } from '../../testing/world.ts';

type Part = { id: string; user: { id: string } | null; role: string; state: string };

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

  const ask = (who: Persona, route: string, body?: object) => world.call(route, { token: who.token, body });
  const partsOf = async (join_code: string, viewer: Persona): Promise<Part[]> =>
    (await ask(viewer, `GET /calls/${join_code}`)).body.participants;
  const idOf = (parts: Part[], who: Persona) => parts.find(({ user }) => user?.id === who.id)?.id ?? '';
  const setRole = (who: Persona, id: string, role: string) =>
    ask(who, `PUT /calls/active/participants/${id}/role`, { role });

  it('lets a co-host do about guests what the host does, and nothing about the host or each other', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob, carol, dora);
    const parts = await partsOf(join_code, alice);
    const [of_alice, of_bob, of_carol, of_dora] = [alice, bob, carol, dora].map((one) => idOf(parts, one));
    const muted = vi.spyOn(world.app.services.media, 'mute');
    const mute = (who: Persona) => ask(who, `POST /calls/active/participants/${of_carol}/mute`, {});
    const remove = (who: Persona, id = '') => ask(who, `DELETE /calls/active/participants/${id}`);
    expect((await mute(bob)).status).toBe(403);
    expect((await setRole(bob, of_bob ?? '', 'co_host')).status).toBe(403);
    const made = await setRole(alice, of_bob ?? '', 'co_host');
    expect([made.status, made.body.participants.find(({ id }: Part) => id === of_bob).role]).toEqual([200, 'co_host']);
    await setRole(alice, of_carol ?? '', 'co_host');
    expect((await world.events(`user:${bob.id}`)).at(-1)?.type).toBe('call.updated');

    expect((await mute(bob)).status).toBe(204);
    expect(muted).toHaveBeenCalledTimes(1);
    muted.mockRestore();
    await ask(dora, `PUT /calls/${join_code}/hand`, { raised: true });
    const lowered = await ask(bob, `PUT /calls/${join_code}/hand`, { raised: false, participant_id: of_dora });
    expect(lowered.status).toBe(200);
    expect((await ask(bob, 'PATCH /calls/active', { guests: 'ask' })).body.guests).toBe('ask');
    const gina = (await requestEntry(world, join_code)).body;
    const told = (await world.events(`user:${bob.id}`)).at(-1);
    expect([told?.type, told?.data.guest.id]).toEqual(['call.guest_asked', gina.guest.id]);
    expect((await ask(bob, `GET /calls/${join_code}/guests`)).body.items).toHaveLength(1);
    expect((await decideOnGuest(world, bob, join_code, gina.guest.id)).body.state).toBe('admitted');
    expect((await remove(bob, of_alice)).status).toBe(403);
    expect((await remove(bob, of_carol)).status).toBe(403);
    expect((await remove(bob, of_dora)).status).toBe(204);
    expect((await ask(bob, 'PUT /calls/active/host', { participant_id: of_bob })).status).toBe(403);

    await setRole(alice, of_bob ?? '', 'guest');
    expect((await mute(bob)).status).toBe(403);
    expect((await remove(alice, of_carol)).status).toBe(204);
    expect((await partsOf(join_code, alice)).map(({ role }) => role)).not.toContain('co_host');
  });

  it('is for people in the call with an account; the co-host follows the host', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob, carol);
    const parts = await partsOf(join_code, alice);
    expect((await setRole(alice, idOf(parts, alice), 'co_host')).status).toBe(403);
    expect((await setRole(alice, 'part_00000000000000000000000000', 'co_host')).status).toBe(404);
    expect((await setRole(dora, idOf(parts, bob), 'co_host')).status).toBe(404);
    expect((await setRole(alice, idOf(parts, bob), 'host')).body.error.fields).toHaveProperty('role');
    await setRole(alice, idOf(parts, carol), 'co_host');
    await ask(alice, `POST /calls/${join_code}/leave`, {});
    await world.settle();
    const after = await ask(bob, `GET /calls/${join_code}`);
    expect(after.body.host.id).toBe(carol.id);
  });
});

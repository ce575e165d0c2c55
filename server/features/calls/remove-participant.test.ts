import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectMedia, legsOf, requestGrants, simulatePhone, startCall, statesOf } from '../../testing/steps/calls.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /calls/active/participants/{participant_id}', () => {
  let world: World;
  let people: Personas;
  let call: any; // oxlint-disable-line typescript/no-explicit-any -- tests read responses without types
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);
  afterEach(async () => {
    await world.call('DELETE /calls/active', { token: people.alice.token });
    await world.settle();
  });

  const start = async () => {
    const { alice, bob, carol } = people;
    call = await startCall(world, alice, [bob, carol], { privacy: 'public' });
    await requestGrants(world, call.join_code, alice, bob);
    await connectMedia(world, call.conference_id, alice, bob);
  };
  const remove = ({ token }: Persona, at: number) =>
    world.call(`DELETE /calls/active/participants/${call.participants[at].id}`, { token });

  it('removes a participant from call and room, who cannot rejoin until called again', async () => {
    const { alice, bob } = people;
    await start();
    expect((await remove(alice, 1)).status).toBe(204);
    await world.settle();
    expect([...(world.rooms.get(call.conference_id) ?? [])]).toEqual([alice.id]);
    expect((await statesOf(world, call.join_code, alice))['bob']).toBe('left');
    const event_count = (await world.events(`user:${bob.id}`)).length;
    // The participant cannot rejoin by the link of a public call either.
    const back = await world.call(`POST /calls/${call.join_code}/sfu-grant`, { token: bob.token, body: {} });
    expect(back.status).toBe(404);
    expect((await world.call(`GET /calls/${call.join_code}/chat`, { token: bob.token })).status).toBe(404);
    await world.call('PATCH /calls/active', { token: alice.token, body: { privacy: 'private' } });
    expect(await world.events(`user:${bob.id}`)).toHaveLength(event_count);
    await world.call('POST /calls/active/participants', { token: alice.token, body: { to: [{ user_id: bob.id }] } });
    await requestGrants(world, call.join_code, bob);
    expect((await statesOf(world, call.join_code, alice))['bob']).toBe('joining');
  });

  it('also keeps out a participant who was disconnected at that moment', async () => {
    const { alice, bob } = people;
    await start();
    await connectMedia(world, call.conference_id, alice);
    expect((await remove(alice, 1)).status).toBe(204);
    await connectMedia(world, call.conference_id, alice, bob);
    expect((await statesOf(world, call.join_code, alice))['bob']).toBe('left');
    const back = await world.call(`POST /calls/${call.join_code}/sfu-grant`, { token: bob.token, body: {} });
    expect(back.status).toBe(404);
  });

  it('removes phones from the room, even if the carrier does not hang up', async () => {
    const { alice, bob } = people;
    await start();
    const { token } = alice;
    const hang_up = vi.spyOn(world.app.services.telephony, 'hangUp').mockRejectedValue(new Error('no carrier'));
    const bridged = await world.call('POST /calls/active/bridge-phone', { token, body: { number: '+493012345678' } });
    expect((await world.call(`POST /calls/${call.join_code}/call-me`, { token: bob.token, body: {} })).status).toBe(
      202,
    );
    for (const number of ['+493012345678', bob.mobile_number]) await simulatePhone(world, number, 'answered');
    const phone_id = bridged.body.participants.at(-1).id;
    const room = [alice.id, bob.id, call.participants[1].id, phone_id];
    world.rooms.set(call.conference_id, new Set(room));
    call.participants.push({ id: phone_id });
    expect((await remove(alice, 1)).status).toBe(204);
    await world.settle();
    expect([...(world.rooms.get(call.conference_id) ?? [])]).toEqual([alice.id, phone_id]);
    expect((await remove(alice, 3)).status).toBe(204);
    await world.settle();
    expect([...(world.rooms.get(call.conference_id) ?? [])]).toEqual([alice.id]);
    hang_up.mockRestore();
  });

  it('stops the phone of a participant who was disconnected at that moment', async () => {
    const { alice, bob } = people;
    await start();
    await world.call(`POST /calls/${call.join_code}/call-me`, { token: bob.token, body: {} });
    await connectMedia(world, call.conference_id, alice);
    expect((await remove(alice, 1)).status).toBe(204);
    expect((await legsOf(world))[0]).toMatchObject({ number: bob.mobile_number, state: 'no_answer' });
  });

  it('cancels a ring', async () => {
    const { alice, carol } = people;
    await start();
    expect((await remove(alice, 2)).status).toBe(204);
    expect((await statesOf(world, call.join_code, alice))['carol']).toBe('no_answer');
    expect((await world.events(`user:${carol.id}`)).at(-1)?.type).toMatch(/^(call.updated|inbox.message)$/);
  });

  it('returns 403 to guests and 404 to those outside of the call', async () => {
    const { bob, carol } = people;
    await start();
    expect((await remove(bob, 2)).status).toBe(403);
    expect((await remove(carol, 1)).status).toBe(404);
  });
});

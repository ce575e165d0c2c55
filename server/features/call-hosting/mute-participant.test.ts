import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { listenTo } from '../../testing/world/listening.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { startRecordableCall } from '../../testing/samples/recording.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /calls/active/participants/{participant_id}/mute', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(() => world.call('DELETE /calls/active', { token: people.alice.token }));

  const mute = (who: Persona, id: string) =>
    world.call(`POST /calls/active/participants/${id}/mute`, { token: who.token, body: {} });

  it('mutes on the media server, if the caller is the host', async () => {
    const { alice, bob, carol } = people;
    const muted = vi.spyOn(world.app.services.media, 'mute');
    const call = await startRecordableCall(world, alice, bob, carol);
    const { body } = await world.call(`GET /calls/${call.join_code}`, { token: alice.token });
    const participant = body.participants.find(({ user }: { user: { id: string } }) => user.id === bob.id);
    expect((await mute(carol, participant.id)).status).toBe(403);
    expect(muted).not.toHaveBeenCalled();
    expect((await mute(alice, participant.id)).status).toBe(204);
    expect(muted.mock.calls).toEqual([[body.conference_id, bob.id]]);
    expect((await mute(alice, 'part_00000000000000000000000000')).status).toBe(404);
    await world.call('DELETE /calls/active', { token: bob.token });
    expect((await mute(bob, participant.id)).status).toBe(404);
    muted.mockRestore();
  });

  it('notifies the participant of who muted them, and is refused when the media server does not do it', async () => {
    const { alice, bob } = people;
    const { join_code } = await startRecordableCall(world, alice, bob);
    const { body } = await world.call(`GET /calls/${join_code}`, { token: alice.token });
    const { id } = body.participants.find(({ user }: { user: { id: string } }) => user.id === bob.id);
    const to_bob = await listenTo(world, bob, 'call.muted');
    expect((await mute(alice, id)).status).toBe(204);
    await expect.poll(() => to_bob()).toMatchObject([{ join_code, by: { id: alice.id } }]);
    const muted = vi.spyOn(world.app.services.media, 'mute').mockRejectedValue(new Error('no answer'));
    const failed = await mute(alice, id);
    expect([failed.status, failed.body.error.code]).toEqual([503, 'unavailable']);
    muted.mockRestore();
  });

  it('also mutes the phone by which the participant is in the call', async () => {
    const { alice, bob } = people;
    const muted = vi.spyOn(world.app.services.media, 'mute');
    const call = await startRecordableCall(world, alice, bob);
    const { body } = await world.call(`POST /calls/${call.join_code}/call-me`, { token: bob.token, body: {} });
    const { id } = body.participants[1];
    expect((await mute(alice, id)).status).toBe(204);
    expect(muted.mock.calls).toEqual([
      [call.conference_id, bob.id],
      [call.conference_id, id],
    ]);
    muted.mockRestore();
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { startRecordableCall } from '../../testing/samples/recording.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

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
    expect((await muteOthers(alice)).status).toBe(204);
    await expect.poll(() => muted.mock.calls.length).toBe(2);
    expect(muted.mock.calls).toEqual(
      expect.arrayContaining([
        [conference_id, bob.id],
        [conference_id, carol.id],
      ]),
    );
    muted.mockRestore();
  });

  it('is 404 without a call', async () => {
    expect((await muteOthers(people.alice)).status).toBe(404);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia } from '../../testing/steps/calls.ts';
import { startOpenCall } from '../../testing/steps/link-guests.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /calls/{join_code}/preview', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(() => world.call('DELETE /calls/active', { token: people.alice.token }));

  const preview = (join_code: string) => world.call(`GET /calls/${join_code}/preview`);

  it('returns the host and the number of participants, but not who they are', async () => {
    const { alice, bob } = people;
    const { join_code, conference_id } = await startOpenCall(world, alice, [bob]);
    await connectMedia(world, conference_id, alice);
    const { status, body } = await preview(join_code);
    expect(status).toBe(200);
    expect(body).toMatchObject({ join_code, guests: 'ask', is_recorded: false, participant_count: 1 });
    expect(body.host.username).toBe('alice');
    expect(JSON.stringify(body)).not.toContain('bob');
  });

  it('returns 404 if guests are off, if the call has ended, and for an unknown code', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    expect((await preview('aaa-bbbb-ccc')).status).toBe(404);
    await world.call('PATCH /calls/active', { token: alice.token, body: { guests: 'off' } });
    expect((await preview(join_code)).status).toBe(404);
    await world.call('PATCH /calls/active', { token: alice.token, body: { guests: 'open' } });
    expect((await preview(join_code)).body.guests).toBe('open');
    await world.call('DELETE /calls/active', { token: alice.token });
    expect((await preview(join_code)).status).toBe(404);
  });
});

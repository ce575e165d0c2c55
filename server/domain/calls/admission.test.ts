import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectMedia, startCall } from '../../testing/steps/calls.ts';
import { findPersonas, password, signInAgain, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { suspendUser } from '../moderation/suspension.ts';
import { slow } from '../../../testing/slow-tests.ts';

type Call = { join_code: string; conference_id: string; participants: { id: string }[] };
type Scene = { world: World; alice: Persona; bob: Persona; call: Call };

const participant = (scene: Scene) => scene.call.participants[1]?.id;

/** Everything that ends the participation of bob, whom alice has called. */
const ends: [string, (scene: Scene) => Promise<unknown>][] = [
  [
    'leaving',
    ({ world, bob, call }) => world.call(`POST /calls/${call.join_code}/leave`, { token: bob.token, body: {} }),
  ],
  [
    'the removal by the host',
    (scene) =>
      scene.world.call(`DELETE /calls/active/participants/${participant(scene)}`, { token: scene.alice.token }),
  ],
  ['a block', ({ world, alice, bob }) => world.call('POST /blocks', { token: alice.token, body: { user_id: bob.id } })],
  ['the end of the call', ({ world, alice }) => world.call('DELETE /calls/active', { token: alice.token })],
  ['signing out', ({ world, bob }) => world.call('POST /auth/logout', { token: bob.token, body: {} })],
  [
    'the end of the session',
    async ({ world, bob }) => {
      const other = await signInAgain(world, bob);
      return world.call(`DELETE /auth/sessions/${bob.session_id}`, { token: other.token });
    },
  ],
  ['the end of all sessions', ({ world, bob }) => world.call('DELETE /auth/sessions', { token: bob.token })],
  [
    'the suspension of the account',
    ({ world, bob }) => suspendUser(world.app.services, bob.id, { operator: 'olga', reason: 'because' }),
  ],
  [
    'the deletion of the account',
    ({ world, bob }) => world.call('DELETE /me', { token: bob.token, body: { password } }),
  ],
];

describe('admission to the room of a call', () => {
  let world: World;
  let people: Personas;
  let call: Call;
  beforeEach(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
    call = await startCall(world, people.alice, [people.bob]);
  });
  afterEach(() => world.close());

  const grantFor = async ({ token }: Persona): Promise<string> =>
    (await world.call(`POST /calls/${call.join_code}/sfu-grant`, { token, body: {} })).body.token;
  const admit = async (token: string) => (await world.call('POST /media/admission', { body: { token } })).status;
  /** Connects alice and bob. @returns the grant of bob */
  async function enter(): Promise<string> {
    const grant = await grantFor(people.bob);
    expect(await admit(grant)).toBe(204);
    expect(await admit(await grantFor(people.alice))).toBe(204);
    await connectMedia(world, call.conference_id, people.alice, people.bob);
    return grant;
  }

  it.each(ends)('is refused (403) after %s, for a used grant and for an unused one', async (_name, end) => {
    const used = await enter();
    const unused = await grantFor(people.bob);
    await end({ world, ...people, call });
    // Immediately, before the media server has removed the participant.
    expect([await admit(used), await admit(unused)]).toEqual([403, 403]);
    await world.settle();
    expect([...(world.rooms.get(call.conference_id) ?? [])]).not.toContain(people.bob.id);
    expect([await admit(used), await admit(unused)]).toEqual([403, 403]);
  });

  it('is refused to a participant who was removed while disconnected', async () => {
    const grant = await enter();
    await connectMedia(world, call.conference_id, people.alice);
    expect(await admit(grant)).toBe(204);
    await world.call(`DELETE /calls/active/participants/${call.participants[1]?.id}`, { token: people.alice.token });
    expect(await admit(grant)).toBe(403);
  });

  it('requires a new grant after leaving', slow, async () => {
    const before = await enter();
    await world.call(`POST /calls/${call.join_code}/leave`, { token: people.bob.token, body: {} });
    await world.settle();
    const after = await grantFor(people.bob);
    expect([await admit(before), await admit(after), await admit(before)]).toEqual([403, 204, 403]);
  });

  it('is not affected by the end of another session of the same account', async () => {
    const other = await signInAgain(world, people.bob);
    const grant = await enter();
    await world.call('POST /auth/logout', { token: other.token, body: {} });
    await world.settle();
    expect(await admit(grant)).toBe(204);
    expect([...(world.rooms.get(call.conference_id) ?? [])]).toContain(people.bob.id);
  });

  it('removes a participant who reconnected with a revoked grant', slow, async () => {
    await enter();
    await world.call(`POST /calls/${call.join_code}/leave`, { token: people.bob.token, body: {} });
    await grantFor(people.bob);
    await world.settle();
    // Simulates that the media server admitted bob between the admission check and the removal.
    await connectMedia(world, call.conference_id, people.alice, people.bob);
    expect([...(world.rooms.get(call.conference_id) ?? [])]).toEqual([people.alice.id]);
  });

  it('opens the room, and closes it when the call ends at the same time', async () => {
    const grant = await grantFor(people.bob);
    const { media } = world.app.services;
    const { openRoom } = media;
    media.openRoom = async (room) => {
      await openRoom(room);
      await world.call('DELETE /calls/active', { token: people.alice.token });
    };
    expect(await admit(grant)).toBe(403);
    expect(world.rooms.has(call.conference_id)).toBe(false);
  });
});

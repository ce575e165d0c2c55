import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notification_kind_names } from '../../domain/accounts/accounts.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /me', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns the whole account and the state of the gate to its owner', async () => {
    const { alice } = people;
    const { status, body } = await world.call('GET /me', { token: alice.token });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: alice.id,
      username: 'alice',
      display_name: 'alice',
      bio: '',
      avatar_url: null,
      email: alice.email,
      email_verified: true,
      mobile_number: alice.mobile_number,
      mobile_verified: true,
      tier: 'free',
      timezone: 'UTC',
      locale: 'en',
      reach: { message: 'everyone', call: 'everyone', add: 'everyone', find: 'contacts' },
      notifications: Object.fromEntries(notification_kind_names.map((kind) => [kind, true])),
      push_text: true,
      read_receipts: true,
      last_seen: true,
      do_not_disturb_until: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      invited_by: null,
      mobile_claim: null,
      gate: { mobile_verified: true, required_for: 'most endpoints' },
    });
  });

  it('is available before verification, and returns what is missing', async () => {
    const { status, body } = await world.call('GET /me', { token: people.uma.token });
    expect([status, body.gate.mobile_verified, body.mobile_number]).toEqual([200, false, null]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNoPayment } from '../../engines/payment/none.ts';
import { openCheckout, settleCheckout } from '../../testing/steps/billing.ts';
import { findPersonas, advanceDays, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /billing/checkout', () => {
  let world: World;
  let people: Personas;
  beforeEach(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterEach(() => world.close());

  const tierOf = async (token: string) => (await world.call('GET /me', { token })).body.tier;

  it('returns one checkout page, and changes the plan only when the provider reports the payment', async () => {
    const { token } = people.alice;
    const opened = await world.call('POST /billing/checkout', { token, body: {} });
    expect([opened.status, new URL(opened.body.checkout_url).pathname]).toEqual([201, '/console']);
    const again = await world.call('POST /billing/checkout', { token, body: {} });
    expect([again.status, again.body]).toEqual([200, opened.body]);
    expect(await tierOf(token)).toBe('free');
    const paid = await settleCheckout(world, opened.body.session_id, 'paid');
    expect([paid.status, paid.body.state, await tierOf(token)]).toEqual([200, 'paid', 'plus']);
    const { body: inbox } = await world.call('GET /inbox', { token });
    expect(inbox.items).toMatchObject([
      { kind: 'system', from: { name: 'Asterism' }, body: expect.stringContaining('Plus') },
    ]);
    expect((await world.events(`user:${people.alice.id}`)).at(-1)).toMatchObject({
      type: 'subscription.updated',
      data: { subscription: { tier: 'plus', state: 'active', cancel_at_period_end: false } },
    });
    const more = await world.call('POST /billing/checkout', { token, body: {} });
    expect([more.status, more.body.error.code]).toEqual([409, 'already_subscribed']);
    expect(await tierOf(people.bob.token)).toBe('free');
  });

  it('returns the same page for concurrent requests', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(() => openCheckout(world, people.alice)));
    expect(new Set(ids).size).toBe(1);
  });

  it('processes repeated webhooks of the same payment once', slow, async () => {
    const session_id = await openCheckout(world, people.alice);
    await Promise.all([1, 2, 3].map(() => settleCheckout(world, session_id, 'paid')));
    const events = await world.events(`user:${people.alice.id}`);
    expect(events.filter(({ type }) => type === 'subscription.updated')).toHaveLength(1);
  });

  it('opens another page after one was cancelled or expired', async () => {
    const { alice } = people;
    const cancelled_id = await openCheckout(world, alice);
    expect((await settleCheckout(world, cancelled_id, 'cancelled')).body.state).toBe('cancelled');
    const open_id = await openCheckout(world, alice);
    expect(open_id).not.toBe(cancelled_id);
    expect((await settleCheckout(world, cancelled_id, 'paid')).body.error.fields).toEqual({
      outcome: 'cannot follow cancelled',
    });
    await advanceDays(world, 1);
    expect(await openCheckout(world, alice)).not.toBe(open_id);
    expect((await settleCheckout(world, open_id, 'paid')).body.error.fields).toEqual({
      outcome: 'cannot follow cancelled',
    });
  });

  it('rejects an unsigned webhook with 401', async () => {
    const raw = JSON.stringify({ session_id: 'cs_x', user_id: people.alice.id, state: 'paid' });
    for (const signature of ['', 'a'.repeat(64), 't=1,v1=ab']) {
      const headers = { 'stripe-signature': signature };
      const response = await world.call('POST /billing/webhook', { raw, headers });
      expect([response.status, response.body.error.code]).toEqual([401, 'unauthenticated']);
    }
    expect(await tierOf(people.alice.token)).toBe('free');
  });

  it('returns 503 if the service has no paid plans', slow, async () => {
    const free_world = await createWorld({ engines: { payment: createNoPayment() } });
    const { token } = people.alice;
    const { status, body } = await free_world.call('POST /billing/checkout', { token, body: {} });
    expect([status, body.error.message]).toEqual([503, 'This service has no paid plans.']);
    expect((await free_world.call('GET /billing/subscription', { token })).body.state).toBe('none');
    expect((await free_world.call('GET /billing/entitlements', { token })).body.upgrade).toBe(null);
    await free_world.close();
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStripePayment } from '../../engines/payment/stripe.ts';
import { startStripe, stripe_account } from '../../testing/providers/stripe-server.ts';
import { buyPlus, openCheckout, settleCheckout } from '../../testing/steps/billing.ts';
import { advanceDays, findPersonas, signInAgain, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { restoreUser, suspendUser } from '../moderation/suspension.ts';
import { slow } from '../../../testing/slow-tests.ts';

const motive = { operator: 'olga', reason: 'because' };

/** The account of `alice` after each act, when all jobs have run. */
const actsIn = (world: World, { alice }: Personas) => {
  const settling = (act: () => Promise<unknown>) => async () => {
    await act();
    await world.settle();
  };
  return {
    suspend: settling(() => suspendUser(world.app.services, 'alice', motive)),
    restore: settling(() => restoreUser(world.app.services, 'alice', motive)),
    remove: settling(async () => {
      const { status } = await world.call('DELETE /me', { token: alice.token, body: { password: alice.password } });
      expect(status).toBe(204);
    }),
    cancel: settling(() => world.call('DELETE /billing/subscription', { token: alice.token })),
    /** The stored state of her subscription. */
    async read() {
      const { rows } = await world.app.services.db.native.query(
        'select state, cancel_at_period_end from subscriptions',
      );
      return rows;
    },
  };
};

const renewed = [{ state: 'active', cancel_at_period_end: false }];
const ends = [{ state: 'active', cancel_at_period_end: true }];
const ended = [{ state: 'ended', cancel_at_period_end: true }];

describe('the plan of an account that is suspended or deleted', () => {
  let world: World;
  let people: Personas;
  let acts: ReturnType<typeof actsIn>;
  beforeEach(async () => {
    world = await createWorld();
    people = findPersonas();
    acts = actsIn(world, people);
  });
  afterEach(() => world.close());

  it('ends at once when the account is deleted', async () => {
    await buyPlus(world, people.alice);
    await acts.remove();
    expect(await acts.read()).toEqual([{ state: 'ended', cancel_at_period_end: true }]);
  });

  it('is not renewed while the account is suspended', async () => {
    await buyPlus(world, people.alice);
    await acts.suspend();
    expect(await acts.read()).toEqual(ends);
    await advanceDays(world, 31);
    await world.settle();
    expect(await acts.read()).toEqual(ended);
  });

  it('is renewed again after a suspension that ends within the paid period', async () => {
    await buyPlus(world, people.alice);
    await acts.suspend();
    await advanceDays(world, 10);
    await acts.restore();
    expect(await acts.read()).toEqual(renewed);
    await advanceDays(world, 31);
    await world.settle();
    expect(await acts.read()).toEqual(renewed);
  });

  it('stays ended when the suspension outlasts the paid period', async () => {
    await buyPlus(world, people.alice);
    await acts.suspend();
    await advanceDays(world, 31);
    await acts.restore();
    expect(await acts.read()).toEqual(ended);
  });

  it('stays cancelled after a suspension if its owner has cancelled it before', async () => {
    await buyPlus(world, people.alice);
    await acts.cancel();
    await acts.suspend();
    await acts.restore();
    expect(await acts.read()).toEqual(ends);
  });

  it('can be bought again after a suspension, but not on the page that was open before', async () => {
    const session_id = await openCheckout(world, people.alice);
    await acts.suspend();
    const late = await settleCheckout(world, session_id, 'paid');
    expect(late.body.error.fields).toEqual({ outcome: 'cannot follow cancelled' });
    await acts.restore();
    await buyPlus(world, await signInAgain(world, people.alice));
    expect(await acts.read()).toEqual(renewed);
  });
});

describe('at Stripe', () => {
  let world: World;
  let people: Personas;
  let acts: ReturnType<typeof actsIn>;
  let stripe: Awaited<ReturnType<typeof startStripe>>;
  const now = () => world.clock.now();
  beforeEach(async () => {
    stripe = await startStripe(now);
    const payment = createStripePayment({ ...stripe_account, now, base_url: stripe.base_url, timeout_ms: 2000 });
    world = await createWorld({ engines: { payment } });
    people = findPersonas();
    acts = actsIn(world, people);
  });
  afterEach(async () => {
    await world.close();
    await stripe.close();
  });

  const tell = ({ raw_body, signature }: ReturnType<typeof stripe.pay>) =>
    world.call('POST /billing/webhook', { raw: raw_body, headers: { 'stripe-signature': signature } });
  /** Runs the jobs that have failed or were put off. */
  const retry = async () => {
    await world.app.services.db.native.query('update graphile_worker._private_jobs set run_at = now()');
    await world.settle();
  };
  const buy = async () => {
    const session_id = await openCheckout(world, people.alice);
    await tell(stripe.pay(session_id));
    await world.settle();
    return stripe.subscriptions.get(session_id.replace('cs_', 'sub_'))!;
  };

  it.each(['suspend', 'remove'] as const)('an open checkout cannot be paid after: %s', async (act) => {
    const session_id = await openCheckout(world, people.alice);
    expect(stripe.sessions.get(session_id)?.status).toBe('open');
    await acts[act]();
    expect(stripe.sessions.get(session_id)?.status).toBe('expired');
  });

  it('an open checkout is ended once Stripe answers again', async () => {
    const session_id = await openCheckout(world, people.alice);
    stripe.setDown(true);
    await acts.suspend();
    expect(stripe.sessions.get(session_id)?.status).toBe('open');
    stripe.setDown(false);
    await retry();
    expect(stripe.sessions.get(session_id)?.status).toBe('expired');
  });

  it.each([
    ['suspend', { status: 'active', cancel_at_period_end: true }],
    ['remove', { status: 'canceled', cancel_at_period_end: false }],
  ] as const)('what was paid just before: %s, and is reported after it, is not renewed', async (act, expected) => {
    const session_id = await openCheckout(world, people.alice);
    const late = stripe.pay(session_id);
    await acts[act]();
    await tell(late);
    await world.settle();
    expect([...stripe.subscriptions.values()]).toMatchObject([expected]);
  });

  it('a late webhook changes nothing of a renewal that was resumed', async () => {
    const subscription = await buy();
    await acts.suspend();
    expect(subscription.cancel_at_period_end).toBe(true);
    const late = stripe.signEvent('customer.subscription.updated', structuredClone(subscription));
    await acts.restore();
    expect(subscription.cancel_at_period_end).toBe(false);
    await tell(late);
    await world.settle();
    expect([subscription.cancel_at_period_end, await acts.read()]).toEqual([false, renewed]);
  });

  it('a suspension that ends before Stripe has answered leaves the plan as it was', async () => {
    const subscription = await buy();
    stripe.setDown(true);
    await acts.suspend();
    await acts.restore();
    stripe.setDown(false);
    await retry();
    expect([subscription.cancel_at_period_end, await acts.read()]).toEqual([false, renewed]);
  });

  it('what its owner has cancelled elsewhere stays cancelled, although no webhook said so', async () => {
    const subscription = await buy();
    subscription.cancel_at_period_end = true;
    await acts.suspend();
    await acts.restore();
    expect(subscription.cancel_at_period_end).toBe(true);
  });

  it('what its owner cancels while it is resumed stays cancelled', slow, async () => {
    const subscription = await buy();
    await acts.suspend();
    const { payment } = world.app.services;
    await restoreUser(world.app.services, 'alice', motive);
    await world.app.services.db.native.query(
      `update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where payload::text like '%sub_test%'`,
    );
    const { token } = await signInAgain(world, people.alice);
    const resume = payment.resume.bind(payment);
    payment.resume = async (known) => {
      await world.call('DELETE /billing/subscription', { token });
      await world.clock.advance(1);
      return resume(known);
    };
    await retry();
    expect(subscription.cancel_at_period_end).toBe(true);
    expect(await acts.read()).toEqual(ends);
  });
});

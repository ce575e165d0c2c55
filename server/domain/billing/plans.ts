/** Billing: subscriptions as reported by the payment provider, and the tier that follows from them. */
import type { PaymentEvent, SubscriptionFacts } from '../../engines/ports.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { ApiError } from '../../kernel/errors.ts';
import { event } from '../../kernel/event.ts';
import { job } from '../../kernel/job.ts';
import { component, moment, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import { change as inChange, type Change, type Services } from '../../kernel/services.ts';
import { after, wireTime } from '../../kernel/time.ts';
import { tiers, type Tier } from '../../kernel/caller.ts';
import { deliverNotice } from '../inbox/inbox.ts';
import { writeTierNotice } from '../delivery/letters.ts';
import { languageOfLocale } from '../../kernel/language/accept-language.ts';
import { invalidateSessions } from '../accounts/session-events.ts';

/** The states of stored subscriptions and checkouts; those that providers report, besides `open` ones. */
export const subscription_states = ['active', 'past_due', 'ended'] as const satisfies SubscriptionFacts['state'][];
export const checkout_states = ['open', 'paid', 'cancelled'] as const;

/** Who may stop the renewal of a subscription. */
export const renewal_stoppers = ['owner', 'suspension'] as const;

export const Subscription = component(
  'Subscription',
  object({
    tier: oneOf(...tiers),
    state: oneOf('none', ...subscription_states),
    current_period_end: nullable(moment),
    cancel_at_period_end: Type.Boolean(),
  }),
);

export const subscriptionUpdated = event(
  'subscription.updated',
  'Your plan has changed.',
  object({ subscription: Subscription }),
);

/** The plan of an account, and the subscription that determines it; null without one. */
export type SubscriptionRow = {
  tier: Tier;
  subscription_id: string | null;
  user_id: string;
  state: SubscriptionFacts['state'] | null;
  current_period_end: Date | null;
  cancel_at_period_end: boolean | null;
  as_of: Date | null;
};

/**
 * The subscription that determines an account's plan: an active one before an ended one, then the one that lasts
 * longest.
 */
export function selectSubscription(db: Queryable, user_id: string): Promise<SubscriptionRow | undefined> {
  return db.maybe<SubscriptionRow>(sql`
    select u.tier, u.id as user_id, s.subscription_id, s.state, s.current_period_end, s.cancel_at_period_end, s.as_of
    from users u left join subscriptions s on s.user_id = u.id where u.id = ${user_id}
    order by s.state = 'ended', s.current_period_end desc nulls last limit 1`);
}

/** A subscription as its account sees it. */
export function presentSubscription(row: SubscriptionRow): Static<typeof Subscription> {
  return {
    tier: row.tier,
    state: row.state ?? 'none',
    current_period_end: row.current_period_end && wireTime(row.current_period_end),
    cancel_at_period_end: row.cancel_at_period_end ?? false,
  };
}

/** The provider's data of a subscription; undefined without one, and for a plan granted by an operator. */
export function factsOf(row: SubscriptionRow): SubscriptionFacts | undefined {
  const { subscription_id, user_id, state, current_period_end, cancel_at_period_end, as_of } = row;
  if (!subscription_id || !state || !current_period_end || !as_of) return undefined;
  return {
    subscription_id,
    user_id,
    state,
    current_period_end,
    cancel_at_period_end: cancel_at_period_end ?? false,
    as_of,
  };
}

/** The provider's data of an account's subscription; undefined without one, and for one that has ended. */
export async function selectOngoing(db: Queryable, user_id: string): Promise<SubscriptionFacts | undefined> {
  const row = await selectSubscription(db, user_id);
  const known = row && factsOf(row);
  return known?.state === 'ended' ? undefined : known;
}

/** Applies an event of the provider. Duplicate events, and older ones after newer, have no effect. */
export async function applyPaymentEvent(change: Change, payment_event: PaymentEvent): Promise<void> {
  const { db } = change;
  if (payment_event.checkout) {
    const { session_id, state } = payment_event.checkout;
    await db.run(sql`update checkouts set state = ${state} where session_id = ${session_id} and state <> 'paid'`);
  }
  if (payment_event.subscription) await storeSubscription(change, payment_event.subscription);
}

/** Refuses a request because the payment provider does not answer. @throws ApiError `unavailable` */
export function refuseProviderUnavailable(cause: unknown): never {
  throw new ApiError('unavailable', { message: 'The payment provider is not responding. Try again later.', cause });
}

/** How long after the paid period, or after the last answer, the provider is polled when no webhook came. */
const poll_after_s = 60 * 60;

/** Stores a subscription as it was at `as_of`, and updates the account's tier. */
export async function storeSubscription(change: Change, facts: SubscriptionFacts): Promise<void> {
  const { db } = change;
  const { subscription_id, user_id, state, current_period_end, cancel_at_period_end, as_of } = facts;
  // The account is locked first, so that two webhooks of one person cannot interleave between subscription and tier.
  const user = await db.maybe<{ deleted: boolean; suspended: boolean }>(sql`
    select deleted_at is not null as deleted, suspended_at is not null as suspended
    from users where id = ${user_id} for update`);
  if (!user) return;
  const before = await db.maybe<SubscriptionRow & Stopper>(
    sql`select * from subscriptions where subscription_id = ${subscription_id}`,
  );
  if (before && (before.user_id !== user_id || (before.as_of && before.as_of > as_of))) return;
  await db.run(sql`
    insert into subscriptions (subscription_id, user_id, state, current_period_end, cancel_at_period_end, as_of)
    values (${subscription_id}, ${user_id}, ${state}, ${current_period_end}, ${cancel_at_period_end}, ${as_of})
    on conflict (subscription_id) do update set
      state = excluded.state, current_period_end = excluded.current_period_end,
      cancel_at_period_end = excluded.cancel_at_period_end, as_of = excluded.as_of`);
  if (user.deleted) {
    // The account was deleted while the payment was being made.
    if (state !== 'ended') change.enqueue(endSubscription, { subscription_id });
    return;
  }
  if (state !== 'ended') {
    // The account was suspended while the payment was being made, or its suspension has ended while the renewal was stopped.
    const is_stopped = before?.renewal_stopped_by === 'suspension' && cancel_at_period_end;
    if (user.suspended ? !cancel_at_period_end : is_stopped) change.enqueue(adaptRenewal, { subscription_id });
    // The end of a past-due subscription is in the past, and must not cause immediate polling.
    const run_at = after(current_period_end > as_of ? current_period_end : as_of, poll_after_s);
    change.enqueue(readSubscription, { subscription_id }, { run_at, key: `subscription:${subscription_id}` });
  }
  const is_same =
    before?.state === state &&
    before.cancel_at_period_end === cancel_at_period_end &&
    before.current_period_end?.getTime() === current_period_end.getTime();
  if (!is_same) await moveTier(change, user_id);
}

/** The stored data of a subscription. */
async function selectFacts(db: Queryable, subscription_id: string): Promise<SubscriptionFacts | undefined> {
  const row = await db.maybe<SubscriptionRow>(
    sql`select * from subscriptions where subscription_id = ${subscription_id}`,
  );
  return row && factsOf(row);
}

/** Sets the tier of an account: `plus` while any subscription is active or past due. */
async function moveTier(change: Change, user_id: string): Promise<void> {
  const moved = await change.db.maybe<{ tier: Tier; locale: string }>(sql`
    update users set tier = current.tier
    from (select case when exists (select 1 from subscriptions where user_id = ${user_id} and state <> 'ended')
                 then 'plus' else 'free' end as tier) current
    where users.id = ${user_id} and users.tier <> current.tier returning users.tier, users.locale`);
  if (moved) {
    await invalidateSessions(change, user_id);
    await deliverNotice(change, user_id, writeTierNotice(moved.tier, languageOfLocale(moved.locale)));
  }
  const row = await selectSubscription(change.db, user_id);
  if (row) change.emit(subscriptionUpdated, [`user:${user_id}`], { subscription: presentSubscription(row) });
}

type OfSubscription = Pick<SubscriptionFacts, 'subscription_id'>;

/** Polls the provider for a subscription whose end has passed, in case its webhook was lost. */
export const readSubscription = job<OfSubscription>({
  name: 'billing.read',
  max_attempts: 20,
  lane: 'providers',
  async run({ subscription_id }, services) {
    const known = await selectFacts(services.db, subscription_id);
    if (!known || known.state === 'ended') return;
    const facts = await services.payment.read(known);
    await inChange(services, (change) => storeSubscription(change, facts));
  },
});

async function cancel(services: Services, subscription_id: string, when: 'now' | 'period_end'): Promise<void> {
  const known = await selectFacts(services.db, subscription_id);
  if (!known) return;
  const facts = await services.payment.cancel(known, when);
  await inChange(services, (change) => storeSubscription(change, facts));
}

/** Cancels the subscription of a deleted account. */
export const endSubscription = job<OfSubscription>({
  name: 'billing.end',
  max_attempts: 20,
  lane: 'providers',
  run: ({ subscription_id }, services) => cancel(services, subscription_id, 'now'),
});

type Stopper = { renewal_stopped_by: (typeof renewal_stoppers)[number] | null };

/**
 * Stores whether the owner wants a subscription to be renewed: the end of a suspension does not take back what they have
 * cancelled. Before the cancelled or resumed one is stored.
 */
export async function storeOwnRenewal(db: Queryable, of: OfSubscription, is_wanted: boolean): Promise<void> {
  const stopped_by = is_wanted ? null : 'owner';
  await db.run(sql`
    update subscriptions set renewal_stopped_by = ${stopped_by} where subscription_id = ${of.subscription_id}`);
}

/** Stops the renewal of a subscription; that this is not its owner's wish is stored before. */
async function stopRenewal(services: Services, known: SubscriptionFacts): Promise<void> {
  const facts = await services.payment.read(known);
  if (facts.state !== 'ended' && !facts.cancel_at_period_end) {
    await services.db.run(sql`
      update subscriptions set renewal_stopped_by = 'suspension' where subscription_id = ${known.subscription_id}`);
  }
  await cancel(services, known.subscription_id, 'period_end');
}

/** Resumes the renewal of a subscription, unless its owner cancels it at the same time. */
async function resumeRenewal(services: Services, known: SubscriptionFacts): Promise<void> {
  const { subscription_id } = known;
  const facts = await services.payment.resume(known);
  const { renewal_stopped_by } = await inChange(services, async (change) => {
    await storeSubscription(change, facts);
    return change.db.one<Stopper>(sql`
      update subscriptions set renewal_stopped_by = nullif(renewal_stopped_by, 'suspension')
      where subscription_id = ${subscription_id} returning renewal_stopped_by`);
  });
  if (renewal_stopped_by === 'owner') await cancel(services, subscription_id, 'period_end');
}

/** Lets the subscription of a suspended account end with the paid period, and be renewed again once the suspension has ended. */
export const adaptRenewal = job<OfSubscription>({
  name: 'billing.renewal',
  max_attempts: 20,
  lane: 'providers',
  async run({ subscription_id }, services) {
    const row = await services.db.maybe<SubscriptionRow & Stopper & { is_suspended: boolean }>(sql`
      select s.*, u.suspended_at is not null as is_suspended
      from subscriptions s join users u on u.id = s.user_id where s.subscription_id = ${subscription_id}`);
    const known = row && factsOf(row);
    if (!known || known.state === 'ended') return;
    if (row.is_suspended) await stopRenewal(services, known);
    else if (row.renewal_stopped_by === 'suspension') await resumeRenewal(services, known);
  },
});

/** Ends a checkout page at the provider. */
export const expireCheckout = job<{ session_id: string }>({
  name: 'billing.expire-checkout',
  max_attempts: 20,
  lane: 'providers',
  run: ({ session_id }, services) => services.payment.expireCheckout(session_id),
});

/** Ends the open checkout of an account that may not pay any more. */
async function expireCheckoutsOf({ db, now, enqueue }: Change, user_id: string): Promise<void> {
  const open = await db.many<{ session_id: string }>(sql`
    update checkouts set state = 'cancelled'
    where user_id = ${user_id} and state = 'open' and expires_at > ${now} returning session_id`);
  for (const row of open) enqueue(expireCheckout, row);
}

/** The subscriptions of an account that the provider has not ended. */
const selectPaid = (db: Queryable, user_id: string): Promise<OfSubscription[]> =>
  db.many<OfSubscription>(sql`
    select subscription_id from subscriptions where user_id = ${user_id} and state <> 'ended' and current_period_end is not null`);

/** Cancels the subscriptions and the open checkout of an account after its deletion has committed. */
export async function endSubscriptionsOf(change: Change, user_id: string): Promise<void> {
  await expireCheckoutsOf(change, user_id);
  await change.db.run(sql`delete from checkouts where user_id = ${user_id}`);
  for (const row of await selectPaid(change.db, user_id)) change.enqueue(endSubscription, row);
}

/** Stops the renewal of what a suspended account pays for, and its open checkout: it can neither use a plan nor cancel it. */
export async function suspendPlansOf(change: Change, user_id: string): Promise<void> {
  await expireCheckoutsOf(change, user_id);
  for (const row of await selectPaid(change.db, user_id)) change.enqueue(adaptRenewal, row);
}

/** Resumes the renewals that a suspension has stopped, of what has not ended meanwhile. */
export async function resumePlansOf(change: Change, user_id: string): Promise<void> {
  for (const row of await selectPaid(change.db, user_id)) change.enqueue(adaptRenewal, row);
}

/** Grants the paid plan without a payment, or revokes that. */
export async function grantPlan(change: Change, user_id: string, tier: Tier): Promise<void> {
  const { db, now } = change;
  const state = tier === 'plus' ? 'active' : 'ended';
  await db.run(sql`
    insert into subscriptions (subscription_id, user_id, state, as_of) values (${`granted_${user_id}`}, ${user_id}, ${state}, ${now})
    on conflict (subscription_id) do update set state = excluded.state, as_of = excluded.as_of`);
  await moveTier(change, user_id);
}

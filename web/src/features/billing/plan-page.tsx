import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { Failure } from '../../ui/empty-state.tsx';
import { describeSize } from '../files/file-text.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { entitlementsQuery, subscriptionQuery, type Entitlements, type Subscription } from './plan-queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { formatDate, formatNumber } from '../../i18n/format.ts';

const LIMIT_NAMES: Record<keyof Entitlements['limits'], string> = {
  get tags() {
    return i18n.t('Tags');
  },
  get groups() {
    return i18n.t('Groups');
  },
  get grid_members() {
    return i18n.t('Favourites');
  },
  get call_participants() {
    return i18n.t('People in your call');
  },
  get scheduled_jobs() {
    return i18n.t('Scheduled messages');
  },
  get storage_bytes() {
    return i18n.t('Storage');
  },
  get location_links() {
    return i18n.t('Location links');
  },
  get widgets() {
    return i18n.t('Widgets');
  },
};

const sayDay = (moment: string) => formatDate(moment, { dateStyle: 'long' });
const sayAmount = (name: string, amount: number) =>
  name === 'storage_bytes' ? describeSize(amount) : formatNumber(amount);

/** The state of the subscription, in one sentence. */
function describeSubscription({
  tier,
  state,
  current_period_end: end,
  cancel_at_period_end: leaves,
}: Subscription): string {
  if (tier === 'free') return i18n.t('You are on the free plan.');
  if (state === 'past_due' && !leaves)
    return i18n.t('Your last payment failed and will be tried again. Update your payment method to keep Plus.');
  if (end === null) return i18n.t('You have Plus, provided by this service.');
  return leaves
    ? i18n.t('You are on Plus until {day}.', { day: sayDay(end) })
    : i18n.t('You are on Plus. It renews on {day}.', { day: sayDay(end) });
}

interface ActionProps {
  label: string;
  is_primary?: boolean;
  action: { readonly isPending: boolean; readonly mutate: () => void };
}

/** A button that can be focused while its action runs, and does nothing until then. */
function Action({ label, is_primary = true, action }: ActionProps) {
  return (
    <button
      type="button"
      className={is_primary ? 'button primary' : 'button'}
      aria-disabled={action.isPending}
      onClick={() => (action.isPending ? undefined : action.mutate())}
    >
      {label}
    </button>
  );
}

function Upgrade() {
  const checkout = useMutation({
    mutationFn: () => sdk.billing.startCheckout({ body: {} }),
    // The provider's page replaces this one, so that Back returns here.
    onSuccess: ({ checkout_url }) => window.location.assign(checkout_url),
    onError: (error) => showToast(describeProblem(error)),
  });
  return <Action label={i18n.t('Upgrade to Plus')} action={checkout} />;
}

/** Opens the provider's page, where a payment method is changed and invoices are found. */
function ManagePayment({ is_urgent }: { is_urgent: boolean }) {
  const portal = useMutation({
    mutationFn: () => sdk.billing.openBillingPortal({ body: {} }),
    onSuccess: ({ portal_url }) => window.location.assign(portal_url),
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <Action
      label={is_urgent ? i18n.t('Update payment method') : i18n.t('Payment and invoices')}
      is_primary={is_urgent}
      action={portal}
    />
  );
}

/** Takes back the cancellation of the plan. */
function Resume() {
  const queries = useQueryClient();
  const resume = useMutation({
    mutationFn: () => sdk.billing.resumeSubscription({ body: {} }),
    onSuccess: (subscription) => {
      queries.setQueryData(subscriptionQuery.queryKey, subscription);
      showToast(i18n.t('Plus will be renewed.'));
    },
    onError: (error) => showToast(describeProblem(error)),
  });
  return <Action label={i18n.t('Keep Plus')} action={resume} />;
}

function Leave() {
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => sdk.billing.cancelSubscription({}),
    onSuccess: (subscription) => queries.setQueryData(subscriptionQuery.queryKey, subscription),
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <Confirm
      trigger={
        <button type="button" className="button quiet" disabled={cancel.isPending}>
          {i18n.t('Cancel the plan')}
        </button>
      }
      title={i18n.t('Cancel Plus?')}
      text={i18n.t(
        'Your plan stays active until the end of the paid period. Everything you have stays; you can’t add more than the free plan allows.',
      )}
      action={i18n.t('Cancel Plus')}
      onConfirm={() => cancel.mutate()}
    />
  );
}

function Limits({ limits, used, upgrade }: Entitlements) {
  return (
    <dl className="limits">
      {Object.entries(limits).map(([name, limit]) => {
        const amount = used[name as keyof typeof used];
        const label = LIMIT_NAMES[name as keyof typeof limits];
        const more = upgrade?.limits[name as keyof typeof limits] ?? limit;
        return (
          <div key={name}>
            <dt>{label}</dt>
            <dd className="limit-used">
              {i18n.t('{used} of {max}', { used: sayAmount(name, amount), max: sayAmount(name, limit) })}
            </dd>
            <dd className="limit-meter">
              <meter
                aria-label={label}
                min={0}
                max={limit}
                high={limit * 0.9}
                optimum={0}
                value={Math.min(amount, limit)}
              />
            </dd>
            {more > limit ? (
              <dd className="limit-upgrade">{i18n.t('{max} with Plus', { max: sayAmount(name, more) })}</dd>
            ) : null}
          </div>
        );
      })}
    </dl>
  );
}

/** How often the plan is read until a payment is confirmed, and at most how many times. */
const CONFIRMATION = { interval_ms: 3_000, max_reads: 20 };

/** What became of the checkout from whose page the reader returns. */
function describeCheckout(
  outcome: 'paid' | 'cancelled' | undefined,
  { tier, state, cancel_at_period_end: leaves }: Subscription,
): string | undefined {
  // What has happened since is told instead.
  if (outcome === undefined || leaves || state === 'past_due') return undefined;
  if (outcome === 'cancelled')
    return tier === 'free' ? i18n.t('The checkout was cancelled. You haven’t been charged.') : undefined;
  return tier === 'free'
    ? i18n.t('Your payment is being confirmed. Plus starts as soon as it is.')
    : i18n.t('Thank you. Your upgrade is complete.');
}

/** The plan page: the free plan, usage against its limits, and upgrading or cancelling. */
export function PlanPage() {
  const { checkout } = useSearch({ strict: false });
  // The event that confirms the payment may have been sent before the reader returned.
  const refetchInterval = ({ state }: { state: { data?: { tier: string } | undefined; dataUpdateCount: number } }) =>
    checkout === 'paid' && state.data?.tier === 'free' && state.dataUpdateCount < CONFIRMATION.max_reads
      ? CONFIRMATION.interval_ms
      : false;
  const subscription = useQuery({ ...subscriptionQuery, refetchInterval });
  const entitlements = useQuery({ ...entitlementsQuery, refetchInterval });
  const failed = subscription.error ?? entitlements.error;
  if (failed) {
    const retry = () => [subscription, entitlements].filter((one) => one.isError).map((one) => one.refetch());
    return <Failure text={describeProblem(failed)} onRetry={retry} />;
  }
  if (!subscription.data || !entitlements.data) return <Skeleton rows={5} what={i18n.t('Loading your plan…')} />;
  const { tier, state, current_period_end: end, cancel_at_period_end: leaves } = subscription.data;
  const outcome = describeCheckout(checkout, subscription.data);
  const is_confirming = checkout === 'paid' && tier === 'free';
  return (
    <section className="card stack" aria-label={i18n.t('Your plan')}>
      <div role="status" className="stack">
        {outcome === undefined ? null : <p>{outcome}</p>}
        {is_confirming ? null : <p>{describeSubscription(subscription.data)}</p>}
      </div>
      {entitlements.data.upgrade === null || is_confirming ? null : (
        <div className="cluster">
          <Upgrade />
        </div>
      )}
      <Limits {...entitlements.data} />
      {tier === 'plus' && end !== null ? (
        <div className="cluster">
          {leaves ? <Resume /> : null}
          <ManagePayment is_urgent={state === 'past_due' && !leaves} />
          {leaves ? null : <Leave />}
        </div>
      ) : null}
    </section>
  );
}

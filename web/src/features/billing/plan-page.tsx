import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { Failure } from '../../ui/empty-state.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { entitlementsQuery, subscriptionQuery, type Entitlements, type Subscription } from './plan-queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { locale } from '../../i18n/locale.ts';

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

const sayDay = (moment: string) => new Date(moment).toLocaleDateString(locale(), { dateStyle: 'long' });
const sayAmount = (name: string, amount: number) =>
  name === 'storage_bytes'
    ? new Intl.NumberFormat(locale(), { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(
        amount / 1e6,
      )
    : amount.toLocaleString(locale());

/** The state of the subscription, in one sentence. */
function describeSubscription({
  tier,
  state,
  current_period_end: end,
  cancel_at_period_end: leaves,
}: Subscription): string {
  if (tier === 'free') return i18n.t('You are on the free plan.');
  if (state === 'past_due') return i18n.t('You are on Plus. The last payment failed and will be tried again.');
  if (end === null) return i18n.t('You have Plus, provided by this service.');
  return leaves
    ? i18n.t('You are on Plus until {day}.', { day: sayDay(end) })
    : i18n.t('You are on Plus. It renews on {day}.', { day: sayDay(end) });
}

function Upgrade() {
  const checkout = useMutation({
    mutationFn: () => sdk.billing.startCheckout({ body: {} }),
    // The provider's page replaces this one, so that Back returns here.
    onSuccess: ({ checkout_url }) => window.location.assign(checkout_url),
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <button
      type="button"
      className="button primary"
      aria-disabled={checkout.isPending}
      onClick={() => (checkout.isPending ? undefined : checkout.mutate())}
    >
      {i18n.t('Upgrade to Plus')}
    </button>
  );
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

function Limits({ limits, used }: Entitlements) {
  return (
    <dl className="limits">
      {Object.entries(limits).map(([name, limit]) => {
        const amount = used[name as keyof typeof used];
        const label = LIMIT_NAMES[name as keyof typeof limits];
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
          </div>
        );
      })}
    </dl>
  );
}

/** The plan page: the free plan, usage against its limits, and upgrading or cancelling. */
export function PlanPage() {
  const subscription = useQuery(subscriptionQuery);
  const entitlements = useQuery(entitlementsQuery);
  const failed = subscription.error ?? entitlements.error;
  if (failed) {
    const retry = () => [subscription, entitlements].filter((one) => one.isError).map((one) => one.refetch());
    return <Failure text={describeProblem(failed)} onRetry={retry} />;
  }
  if (!subscription.data || !entitlements.data) return <Skeleton rows={5} what={i18n.t('Loading your plan…')} />;
  const { tier, current_period_end: end, cancel_at_period_end: leaves } = subscription.data;
  return (
    <section className="card stack" aria-label={i18n.t('Your plan')}>
      <p role="status">{describeSubscription(subscription.data)}</p>
      <Limits {...entitlements.data} />
      <div className="cluster">
        {tier === 'free' ? <Upgrade /> : null}
        {tier === 'plus' && end !== null && !leaves ? <Leave /> : null}
      </div>
    </section>
  );
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { entitlementsQuery, subscriptionQuery, type Entitlements, type Subscription } from './plan-queries.ts';

const limit_names: Record<keyof Entitlements['limits'], string> = {
  tags: 'Tags',
  groups: 'Groups',
  grid_members: 'Favourites',
  call_participants: 'People in your call',
  scheduled_jobs: 'Scheduled messages',
  storage_bytes: 'Storage',
  location_links: 'Location links',
  widgets: 'Widgets',
};

const sayDay = (moment: string) => new Date(moment).toLocaleDateString(undefined, { dateStyle: 'long' });
const sayAmount = (name: string, amount: number) =>
  name === 'storage_bytes'
    ? new Intl.NumberFormat(undefined, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(
        amount / 1e6,
      )
    : String(amount);

/** What the subscription means, in one sentence. */
function saySubscription({ tier, state, current_period_end: end, cancel_at_period_end: leaves }: Subscription): string {
  if (tier === 'free') return 'You are on the free plan.';
  if (state === 'past_due') return 'You are on the plan Plus. The last payment failed and will be tried again.';
  if (end === null) return 'You are on the plan Plus, as a gift of this service.';
  return leaves
    ? `You are on the plan Plus until ${sayDay(end)}.`
    : `You are on the plan Plus. It renews on ${sayDay(end)}.`;
}

function Upgrade() {
  const checkout = useMutation({
    mutationFn: () => sdk.billing.startCheckout({ body: {} }),
    // The page of the provider takes the place of this one, so that going back comes back here.
    onSuccess: ({ checkout_url }) => window.location.assign(checkout_url),
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <button
      type="button"
      className="button"
      aria-disabled={checkout.isPending}
      onClick={() => (checkout.isPending ? undefined : checkout.mutate())}
    >
      Go to Plus
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
        <button type="button" className="button button-quiet" disabled={cancel.isPending}>
          Cancel the plan
        </button>
      }
      title="Cancel the plan Plus?"
      text="Your plan stays active until the end of the paid period. Everything you have stays; you cannot add more than the free plan allows."
      action="Cancel it"
      onConfirm={() => cancel.mutate()}
    />
  );
}

function Limits({ limits, used }: Entitlements) {
  return (
    <dl className="limits">
      {Object.entries(limits).map(([name, limit]) => {
        const amount = used[name as keyof typeof used];
        const label = limit_names[name as keyof typeof limits];
        return (
          <div key={name}>
            <dt>{label}</dt>
            <dd>
              {sayAmount(name, amount)} of {sayAmount(name, limit)}
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

/** The plan of one's account: what it costs nothing to look at, what is used of it, and the way to the paid one and back. */
export function PlanPage() {
  const subscription = useQuery(subscriptionQuery);
  const entitlements = useQuery(entitlementsQuery);
  const failed = subscription.error ?? entitlements.error;
  if (failed) return <p className="field-error">{describeProblem(failed)}</p>;
  if (!subscription.data || !entitlements.data) return <p className="soft">Fetching your plan…</p>;
  const { tier, current_period_end: end, cancel_at_period_end: leaves } = subscription.data;
  return (
    <section className="card stack" aria-label="Your plan">
      <p role="status">{saySubscription(subscription.data)}</p>
      <Limits {...entitlements.data} />
      <div className="cluster">
        {tier === 'free' ? <Upgrade /> : null}
        {tier === 'plus' && end !== null && !leaves ? <Leave /> : null}
      </div>
    </section>
  );
}

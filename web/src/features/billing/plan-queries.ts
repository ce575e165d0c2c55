import { queryOptions } from '@tanstack/react-query';
import type { Reply } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';

export type Subscription = Reply<'billing', 'getSubscription'>;
export type Entitlements = Reply<'billing', 'getEntitlements'>;

/** Everything about the reader's plan. */
export const planKey = ['plan'] as const;

/** The reader's subscription. */
export const subscriptionQuery = queryOptions({
  queryKey: [...planKey, 'subscription'],
  queryFn: ({ signal }) => sdk.billing.getSubscription({ signal }),
});
/** The limits of the reader's plan, and their usage. */
export const entitlementsQuery = queryOptions({
  queryKey: [...planKey, 'entitlements'],
  queryFn: ({ signal }) => sdk.billing.getEntitlements({ signal }),
});

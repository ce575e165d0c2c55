import { queryOptions } from '@tanstack/react-query';
import type { Reply } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';

export type Subscription = Reply<'billing', 'getSubscription'>;
export type Entitlements = Reply<'billing', 'getEntitlements'>;

/** All that is known of one's plan. */
export const planKey = ['plan'] as const;

/** What one pays for. */
export const subscriptionQuery = queryOptions({
  queryKey: [...planKey, 'subscription'],
  queryFn: ({ signal }) => sdk.billing.getSubscription({ signal }),
});
/** What one's plan allows, and what of it is used. */
export const entitlementsQuery = queryOptions({
  queryKey: [...planKey, 'entitlements'],
  queryFn: ({ signal }) => sdk.billing.getEntitlements({ signal }),
});

import {
  adaptRenewal,
  endSubscription,
  expireCheckout,
  readSubscription,
  subscriptionUpdated,
} from '../../domain/billing/plans.ts';
import { feature } from '../../kernel/endpoint.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { getEntitlements } from './get-entitlements.ts';
import { getSubscription } from './get-subscription.ts';
import { openBillingPortal } from './open-billing-portal.ts';
import { resumeSubscription } from './resume-subscription.ts';
import { startCheckout } from './start-checkout.ts';
import { lifecycle } from './lifecycle.ts';

export const billing = feature({
  area: 'billing',
  title: 'Billing',
  endpoints: [
    startCheckout,
    getEntitlements,
    getSubscription,
    cancelSubscription,
    resumeSubscription,
    openBillingPortal,
  ],
  events: [subscriptionUpdated],
  jobs: [readSubscription, endSubscription, adaptRenewal, expireCheckout],
  lifecycle,
});

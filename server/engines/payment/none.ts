/** No payment: where no provider is configured and the console is off, plans can only be granted by the operator. */
import type { Payment } from '../ports.ts';

const refuse = () => Promise.reject(new Error('No payment provider is configured.'));

/** Payment where nothing is for sale; to open a checkout, or to read or cancel a subscription, rejects. */
export function createNoPayment(): Payment {
  return {
    sells: false,
    openCheckout: refuse,
    receive: () => Promise.resolve(undefined),
    read: refuse,
    cancel: refuse,
    close: () => Promise.resolve(),
  };
}

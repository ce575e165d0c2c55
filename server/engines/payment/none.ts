/** No payment: where no provider is configured and the console is off, plans can only be granted by the operator. */
import type { Payment } from '../ports.ts';

const refuse = () => Promise.reject(new Error('No payment provider is configured.'));

/** Payment where nothing is for sale; whatever needs one rejects. */
export function createNoPayment(): Payment {
  return {
    sells: false,
    openCheckout: refuse,
    receive: () => Promise.resolve(undefined),
    read: refuse,
    openPortal: refuse,
    expireCheckout: refuse,
    cancel: refuse,
    resume: refuse,
    close: () => Promise.resolve(),
  };
}

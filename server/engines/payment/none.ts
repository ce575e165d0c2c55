/** Nothing is sold: where no provider is configured and there is no console, every plan is the operator's to give. */
import type { Payment } from '../ports.ts';

const refuse = () => Promise.reject(new Error('No payment provider is configured.'));

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

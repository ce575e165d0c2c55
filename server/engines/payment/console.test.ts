import { describe } from 'vitest';
import { testPayment } from '../../testing/contracts/payment.contract.ts';
import { createConsolePayment } from './console.ts';

describe('console payment', () => {
  testPayment(async () => {
    const payment = createConsolePayment({ public_url: 'http://asterism.test', now: () => new Date() });
    const settle = (state: 'paid' | 'cancelled') => (session_id: string, user_id: string) => {
      if (!payment.simulator) throw new Error('there is no simulator');
      return payment.simulator.settle({ session_id, user_id }, state);
    };
    return { payment, pay: settle('paid'), leave: settle('cancelled'), close: () => Promise.resolve() };
  });
});

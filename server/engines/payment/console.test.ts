import { describe } from 'vitest';
import { testPayment } from '../../testing/contracts/payment.contract.ts';
import { createConsolePayment } from './console.ts';

describe('payment by the console', () => {
  testPayment(async () => {
    const payment = createConsolePayment({ public_url: 'http://asterism.test', now: () => new Date() });
    const play = (state: 'paid' | 'cancelled') => (session_id: string, user_id: string) => {
      if (!payment.simulator) throw new Error('nobody plays the buyer');
      return payment.simulator.settle({ session_id, user_id }, state);
    };
    return { payment, pay: play('paid'), leave: play('cancelled'), close: () => Promise.resolve() };
  });
});

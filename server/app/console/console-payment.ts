/** The buyer of the paid plan, simulated by the console. */
import { applyPaymentEvent } from '../../domain/billing/plans.ts';
import { sql } from '../../kernel/database/database.ts';
import { ApiError, found, invalid } from '../../kernel/errors.ts';
import { object, oneOf, type Static } from '../../kernel/schema.ts';
import { change, type Services } from '../../kernel/services.ts';

/** The body of a request that ends a simulated checkout, or declines the card of what was bought by it. */
export const PaymentAction = object({ outcome: oneOf('paid', 'cancelled', 'declined') });
export type PaymentAction = Static<typeof PaymentAction>;

type CheckoutRow = {
  session_id: string;
  user_id: string;
  username: string;
  state: string;
  created_at: Date;
  expires_at: Date;
};

const present = ({ created_at, expires_at, ...row }: CheckoutRow) => ({
  ...row,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
});

const selectCheckouts = ({ db }: Services, which: ReturnType<typeof sql>) =>
  db.many<CheckoutRow>(sql`
    select c.session_id, c.user_id, u.username, c.state, c.created_at, c.expires_at
    from checkouts c join users u on u.id = c.user_id ${which}`);

/** The newest checkouts of all accounts, at most 30. */
export async function listCheckouts(services: Services) {
  const rows = await selectCheckouts(services, sql`order by c.created_at desc limit 31`);
  return { items: rows.slice(0, 30).map(present), has_more: rows.length > 30 };
}

async function requireCheckout(services: Services, session_id: string): Promise<CheckoutRow> {
  return found((await selectCheckouts(services, sql`where c.session_id = ${session_id}`))[0]);
}

/**
 * Completes or cancels a checkout, or declines the card of a paid one, and reports it as a provider would: signed, received
 * and applied. Idempotent; paying again is what a buyer does on the provider's page after their card was declined.
 */
export async function simulateBuyer(services: Services, session_id: string, { outcome }: PaymentAction) {
  const { payment, clock } = services;
  if (!payment.simulator) throw new ApiError('not_found', { message: 'Payments go through the configured provider.' });
  const checkout = await requireCheckout(services, session_id);
  if (checkout.state !== (outcome === 'declined' ? 'paid' : outcome)) {
    if (outcome === 'declined' || checkout.state !== 'open') invalid({ outcome: `cannot follow ${checkout.state}` });
    if (checkout.expires_at <= clock.now()) invalid({ outcome: 'is too late' });
  }
  const event = await payment.receive(payment.simulator.settle(checkout, outcome));
  if (event) await change(services, (one) => applyPaymentEvent(one, event));
  return present(await requireCheckout(services, session_id));
}

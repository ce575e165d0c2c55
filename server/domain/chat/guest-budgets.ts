/** Rate budgets of guests who write in chats. Guests are anonymous, so their address has a budget as well. */
import type { Guest, Origin } from '../../kernel/caller.ts';
import type { ThrottleClass } from '../../kernel/load/throttle.ts';

type Budgets = { consume(name: ThrottleClass, key: string): Promise<void>; origin: Pick<Origin, 'ip'> };

/**
 * Consumes what one message of a guest costs.
 * @throws ApiError `rate_limited`
 */
export async function consumeGuestChat({ consume, origin }: Budgets, { guest_id }: Guest): Promise<void> {
  await consume('guest_chat', guest_id);
  await consume('guest_chat_address', origin.ip);
}

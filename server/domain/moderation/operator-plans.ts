/** Plans that operators grant. */
import type { Tier } from '../../kernel/caller.ts';
import { change as inChange, type Services } from '../../kernel/services.ts';
import { grantPlan } from '../billing/plans.ts';
import { recordAct, requireUser, type ModerationReason } from './moderation-acts.ts';

/** Grants an account a plan without payment, or revokes it. @throws ModerationError */
export function grantPlanByOperator(
  services: Services,
  user: string,
  tier: Tier,
  motive: ModerationReason,
): Promise<void> {
  return inChange(services, async (change) => {
    const id = await requireUser(change.db, user);
    await grantPlan(change, id, tier);
    await recordAct(change, { act: `plan ${tier}`, type: 'user', id }, motive);
  });
}

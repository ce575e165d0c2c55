import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { tiers } from '../../kernel/caller.ts';
import type { Limits } from '../../kernel/load/limits.ts';
import type { ThrottleClass } from '../../kernel/load/throttle.ts';
import { component, moment, nullable, object, oneOf, Type } from '../../kernel/schema.ts';

export const Checkout = component(
  'Checkout',
  object({ checkout_url: Type.String(), session_id: Type.String(), expires_at: moment }),
);

/** The limits that are published to clients. */
export const bound_names = [
  'contacts',
  'group_members',
  'contact_values',
  'tag_media',
  'upload_bytes',
  'import_bytes',
  'import_rows',
  'location_viewers',
] as const satisfies (keyof Limits)[];
/** The name of such a limit. */
export type BoundName = (typeof bound_names)[number];

/** Rate budgets per account. */
export const budget_names = [
  'default',
  'call',
  'invite',
  'import',
  'reply',
  'report',
  'message_account',
  'message_request',
  'message_search',
  'contact_search',
  'chat',
  'contact_addresses',
  'event_share',
  'voice',
  'location_discover',
] as const satisfies ThrottleClass[];

const count = Type.Integer({ minimum: 0 });
const Budget = object({
  name: oneOf(...budget_names),
  quota: count,
  remaining: count,
  window_s: count,
  reset_s: Type.Integer({ minimum: 0, description: 'Seconds until the budget is fully restored.' }),
});
const Money = object({ limit: count, remaining: count });
const counts = Object.fromEntries(Object.keys(plan_limits.free).map((name) => [name, count])) as Record<
  keyof (typeof plan_limits)['free'],
  typeof count
>;

export const Entitlements = component(
  'Entitlements',
  object({
    tier: oneOf(...tiers),
    limits: object(counts),
    upgrade: nullable(object({ limits: object(counts) }), {
      description: 'What the paid plan would give; null if you have it, or if it is not sold here.',
    }),
    used: object(counts, {
      description: 'Current use of each limit; `call_participants` refers to your active call.',
    }),
    bounds: object(Object.fromEntries(bound_names.map((name) => [name, count])) as Record<BoundName, typeof count>, {
      description: 'Limits of single items, on every plan; in bytes or seconds where the name says so.',
    }),
    budgets: Type.Array(Budget, { maxItems: budget_names.length, description: 'Rate budgets: units per time window.' }),
    phone_money: object(
      { hour: Money, day: Money },
      { description: 'What you may spend on calls to phones, in millionths of a US dollar.' },
    ),
  }),
);

import { plan_limits } from '../../domain/entitlements.ts';
import { component, moment, object, oneOf, Type } from '../../kernel/schema.ts';

export const Checkout = component(
  'Checkout',
  object({ checkout_url: Type.String(), session_id: Type.String(), expires_at: moment }),
);

const count = Type.Integer({ minimum: 0 });
const counts = Object.fromEntries(Object.keys(plan_limits.free).map((name) => [name, count])) as Record<
  keyof (typeof plan_limits)['free'],
  typeof count
>;

export const Entitlements = component(
  'Entitlements',
  object({
    tier: oneOf('free', 'plus'),
    limits: object(counts),
    used: object(counts, {
      description: 'What counts against each limit now; `call_participants` of your active call.',
    }),
  }),
);

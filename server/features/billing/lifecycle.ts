import { endSubscriptionsOf } from '../../domain/billing/plans.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = { accountDeleted: endSubscriptionsOf };

/** Plan limits: one table, used for enforcement and for the published entitlements. */
import type { Tier } from '../../kernel/caller.ts';

/** The most that an account of each plan may have. */
export const plan_limits = {
  free: {
    tags: 10,
    groups: 5,
    grid_members: 8,
    call_participants: 8,
    scheduled_jobs: 10,
    storage_bytes: 500_000_000,
    location_links: 2,
    widgets: 1,
  },
  plus: {
    tags: 50,
    groups: 100,
    grid_members: 16,
    call_participants: 50,
    scheduled_jobs: 500,
    storage_bytes: 50_000_000_000,
    location_links: 20,
    widgets: 20,
  },
} as const satisfies Record<Tier, Record<string, number>>;

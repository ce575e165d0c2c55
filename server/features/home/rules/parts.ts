/** The parts of the home page: each is the answer of another operation. */
import type { Endpoint, Feature } from '../../../kernel/endpoint.ts';
import { object, Type, type TSchema } from '../../../kernel/schema.ts';
import { billing } from '../../billing/index.ts';
import { calls } from '../../calls/index.ts';
import { dm } from '../../dm/index.ts';
import { follows } from '../../follows/index.ts';
import { grid } from '../../grid/index.ts';
import { groups } from '../../groups/index.ts';
import { inbox } from '../../inbox/index.ts';
import { me } from '../../me/index.ts';
import { notifications } from '../../notifications/index.ts';
import { scheduledJobs } from '../../scheduled-jobs/index.ts';
import { statuses } from '../../statuses/index.ts';

/** An operation whose answer is a part of the home page. */
export type Part = { endpoint: Endpoint; query?: object };

function partOf({ endpoints, area }: Feature, id: string, query?: object): Part {
  const endpoint = endpoints.find((one) => one.id === id);
  if (!endpoint) throw new Error(`the area ${area} has no operation ${id}`);
  return query ? { endpoint, query } : { endpoint };
}

/** Counts of unread and pending items. */
export const unread_parts = {
  inbox: partOf(inbox, 'countUnreadMessages'),
  dm: partOf(dm, 'countUnreadDms'),
  notifications: partOf(notifications, 'countUnreadNotifications'),
  follow_requests: partOf(follows, 'countFollowRequests'),
} as const;

/** The parts of the home page, besides the counts. */
export const parts = {
  me: partOf(me, 'getMe'),
  active_call: partOf(calls, 'getActiveCall'),
  grid: partOf(grid, 'getGrid'),
  groups: partOf(groups, 'listGroups'),
  feed: partOf(statuses, 'getFeed', { limit: 10 }),
  scheduled_jobs: partOf(scheduledJobs, 'listScheduledJobs', { state: 'scheduled', limit: 5 }),
  subscription: partOf(billing, 'getSubscription'),
} as const;

/** The reply schema of a part. */
export const replyOf = ({ endpoint }: Part): TSchema => endpoint.reply ?? Type.Unknown();

/** The counts, each as a number. */
export const Unread = object(
  Object.fromEntries(Object.keys(unread_parts).map((name) => [name, Type.Integer({ minimum: 0 })])) as Record<
    keyof typeof unread_parts,
    ReturnType<typeof Type.Integer>
  >,
);

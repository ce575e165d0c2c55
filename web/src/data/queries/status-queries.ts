export const feedKey = ['feed'] as const;
/** Statuses that have arrived since the feed was fetched. */
export const queuedStatusesKey = ['feed-waiting'] as const;
/** All statuses whose pages were opened. */
export const statusesKey = ['status'] as const;
export const statusKey = (post_id: string) => [...statusesKey, post_id] as const;
/** The replies of all statuses. */
export const allRepliesKey = ['replies'] as const;
export const repliesKey = (post_id: string) => [...allRepliesKey, post_id] as const;
/** A status with its earlier versions. */
export const statusHistoryKey = (post_id: string) => ['status-history', post_id] as const;
/** The key of a pending post request, whose reply contains what the stream would send as well. */
export const postStatusKey = ['post-status'] as const;

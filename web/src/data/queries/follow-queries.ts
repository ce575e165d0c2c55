/** The tags that the reader follows, and the followers of their own tags. */
export const followsKey = ['follows'] as const;
export const followersKey = ['followers'] as const;
/** All lists of requests to follow. */
export const followRequestsKey = ['follow-requests'] as const;
export const incomingKey = [...followRequestsKey, 'incoming'] as const;
export const declinedKey = [...followRequestsKey, 'declined'] as const;
export const outgoingKey = [...followRequestsKey, 'outgoing'] as const;
export const requestCountKey = ['follow-request-count'] as const;

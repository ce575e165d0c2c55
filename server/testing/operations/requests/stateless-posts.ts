/**
 * POSTs that set a state, so that a repetition changes nothing, or that return a one-time value: no row is inserted.
 */
export const stateless_posts = new Set([
  'POST /auth/logout',
  'POST /auth/reset',
  // An open one is returned again.
  'POST /billing/checkout',
  'POST /billing/portal',
  'POST /billing/subscription/resume',
  'POST /blocks',
  // For an existing exception the event is returned unchanged.
  'POST /calendar/events/{event_id}/exdates',
  'POST /calendar/sync/ack',
  'POST /calls/active/mute',
  'POST /calls/active/participants/{participant_id}/mute',
  'POST /calls/active/recording',
  'POST /calls/{join_code}/decline',
  // Repeating the same decision has no effect.
  'POST /calls/{join_code}/guests/{guest_id}',
  'POST /calls/{join_code}/leave',
  'POST /commands/voice',
  'POST /contacts/imports/{batch_id}/rollback',
  'POST /dm/threads/{thread_id}/accept',
  'POST /dm/threads/{thread_id}/clear',
  'POST /dm/threads/{thread_id}/decline',
  'POST /grid/members',
  'POST /group-invites/{invite_id}/accept',
  'POST /group-invites/{invite_id}/decline',
  'POST /groups/{group_id}/chat/clear',
  'POST /groups/{group_id}/leave',
  'POST /groups/{group_id}/transfer',
  'POST /me/avatar',
  'POST /notifications/read-all',
  'POST /push-token',
  'POST /scheduled-jobs/{job_id}/retry',
]);

import type { RealtimeStream, Status } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { insertItem } from '../../data/lists.ts';
import { catchUp } from '../../data/cache.ts';
import type { IsKnown } from '../../data/cache.ts';
import { followsKey, incomingKey, outgoingKey, requestCountKey } from '../../data/queries/follow-queries.ts';
import { guestsKey } from '../../data/queries/call-queries.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { planKey } from '../billing/plan-queries.ts';
import { contactsKey, importsKey } from '../../data/queries/contact-queries.ts';
import { gridQuery } from '../../data/queries/grid-query.ts';
import { groupInvitesKey, groupKey, groupQuery, groupsKey } from '../../data/queries/group-queries.ts';
import { historyKey, recordingsKey } from '../../data/queries/history-queries.ts';
import { dropFromInbox, refreshMessage } from '../inbox/inbox-mutations.ts';
import { inboxCountQuery, inboxKey } from '../../data/queries/inbox-queries.ts';
import { homeKey } from '../../data/queries/home-query.ts';
import type { Home } from '../../data/home-start.ts';
import { meQuery } from '../../data/queries/me-query.ts';
import { dropNotifications, cacheNotification, showRead } from '../notifications/notification-mutations.ts';
import { notificationsKey, unreadQuery } from '../../data/queries/notification-queries.ts';
import { dropComment, cacheComment } from '../profiles/comment-list.ts';
import { cacheReportedReply, dropReportedReply } from '../statuses/reply-cache.ts';
import type { Draft } from '../statuses/status-mutations.ts';
import { changeStatus, forgetStatus, cacheStatus, queueStatus, catchUpFeed } from '../statuses/status-cache.ts';
import { allCommentsKey, profileKey } from '../../data/queries/profile-queries.ts';
import { allRepliesKey, feedKey, postStatusKey, statusesKey } from '../../data/queries/status-queries.ts';
import { tagKey, tagSearchKey } from '../../data/queries/tag-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

function invalidate(queries: QueryClient, keys: readonly (readonly string[])[]): void {
  for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
}

/** The status with file addresses for the reader, which events do not contain. */
async function ownView(status: Status): Promise<Status> {
  return status.media.length === 0 ? status : sdk.statuses.getStatus({ path: { post_id: status.id } });
}

async function insertStatus(queries: QueryClient, posted: Status): Promise<void> {
  const is_mine = posted.author.id === queries.getQueryData(meQuery.queryKey)?.id;
  // The pending post request returns it.
  const sending = queries.getMutationCache().findAll({ mutationKey: postStatusKey, status: 'pending' });
  if (is_mine && sending.some(({ state }) => (state.variables as Draft).body === posted.body)) return;
  const status = await ownView(posted);
  if (is_mine) cacheStatus(queries, status);
  else queueStatus(queries, status);
}

async function changePosted(queries: QueryClient, updated: Status): Promise<void> {
  const status = await ownView(updated);
  // Reply counts and likes depend on the viewer, which events do not.
  changeStatus(queries, status.id, ({ reply_count, liked }) => ({ ...status, reply_count, liked }));
}

/** Updates people, statuses and notifications from the stream. */
export function subscribeToPeople(stream: RealtimeStream, queries: QueryClient): void {
  // Data that cannot be refetched now are fetched when the page is next opened.
  const quietly = (work: Promise<void>) => void work.catch(() => undefined);
  stream.on('status.posted', ({ data }) => quietly(insertStatus(queries, data.status)));
  stream.on('status.updated', ({ data }) => quietly(changePosted(queries, data.status)));
  stream.on('status.deleted', ({ data }) => forgetStatus(queries, data.id));
  stream.on('reply.posted', ({ data }) => cacheReportedReply(queries, data.reply));
  stream.on('reply.deleted', ({ data }) => dropReportedReply(queries, data.post_id, data.id));
  stream.on('comment.posted', ({ data }) => cacheComment(queries, data.comment));
  stream.on('comment.deleted', ({ data }) => dropComment(queries, data.tag_id, data.id));
  stream.on('notification.created', ({ data }) => cacheNotification(queries, data.notification));
  stream.on('notification.updated', ({ data }) => cacheNotification(queries, data.notification));
  stream.on('notification.cleared', ({ data }) => dropNotifications(queries, data.ids));
  stream.on('notification.read', ({ data }) => {
    showRead(queries, data.up_to_id);
    invalidate(queries, [unreadQuery.queryKey]);
  });
  stream.on('follow.requested', ({ data }) => {
    if (data.request.state === 'pending') insertItem(queries, incomingKey, data.request);
    else invalidate(queries, [incomingKey]);
    invalidate(queries, [requestCountKey]);
  });
  stream.on('subscription.updated', () => invalidate(queries, [planKey, meQuery.queryKey]));
  stream.on('follow.accepted', () =>
    invalidate(queries, [followsKey, outgoingKey, tagKey, profileKey, tagSearchKey, feedKey]),
  );
}

/** Updates past calls, and ringing calls, from the stream. */
export function subscribeToCalls(stream: RealtimeStream, queries: QueryClient): void {
  stream.on('inbox.message', ({ data }) => void refreshMessage(queries, data.message.id).catch(() => undefined));
  stream.on('inbox.deleted', ({ data }) => dropFromInbox(queries, data.ids));
  stream.on('call.guest_asked', ({ data }) => {
    void queries.invalidateQueries({ queryKey: guestsKey });
    // The page of the call lists waiting guests.
    if (!location.pathname.includes('/call/'))
      showToast(i18n.t('{name} asks to join your call.', { name: data.guest.name }));
  });
  stream.on('call.guest_decided', () => void queries.invalidateQueries({ queryKey: guestsKey }));
  stream.on('call.ended', () => invalidate(queries, [historyKey, gridQuery.queryKey]));
  stream.on('call.updated', ({ data: { call } }) => {
    invalidate(queries, [gridQuery.queryKey]);
    // When a call of two stops ringing, it is in the callee's history at once, even if the caller is still in it.
    if (call.participants.length <= 2) invalidate(queries, [historyKey]);
  });
  stream.on('grid.updated', () => invalidate(queries, [gridQuery.queryKey]));
  stream.on('recording.updated', () => invalidate(queries, [recordingsKey]));
  stream.on('recording.deleted', () => invalidate(queries, [recordingsKey]));
  stream.on('contact.updated', () => invalidate(queries, [contactsKey, gridQuery.queryKey]));
  stream.on('contact.deleted', () => invalidate(queries, [contactsKey, gridQuery.queryKey]));
}

/** Updates contacts and groups from the stream. */
export function subscribeToGroups(stream: RealtimeStream, queries: QueryClient): void {
  stream.on('contact.imported', () => invalidate(queries, [contactsKey, importsKey]));
  stream.on('group.updated', ({ data }) => invalidate(queries, [groupsKey, groupQuery(data.id).queryKey]));
  stream.on('group.deleted', ({ data }) => invalidate(queries, [groupsKey, groupQuery(data.id).queryKey]));
  stream.on('group.invited', () => invalidate(queries, [groupInvitesKey]));
  stream.on('group.invite_withdrawn', () => invalidate(queries, [groupInvitesKey]));
}

/** Refetches everything that the stream would have updated, after lost events; only the feed does not move. */
export function refetchPeople(queries: QueryClient, isKnown?: IsKnown): void {
  catchUp(
    queries,
    [
      inboxKey,
      inboxCountQuery.queryKey,
      historyKey,
      gridQuery.queryKey,
      contactsKey,
      importsKey,
      notificationsKey,
      unreadQuery.queryKey,
      requestCountKey,
      incomingKey,
      allRepliesKey,
      allCommentsKey,
      statusesKey,
    ],
    isKnown,
  );
  catchUp(queries, [groupsKey, groupKey, groupInvitesKey], isKnown);
  const feed = queries.getQueryCache().find({ queryKey: feedKey, exact: true });
  // A feed that an earlier page has stored stays as it is, and what is new is offered above it.
  if (feed === undefined || !isKnown?.(feed)) catchUpFeed(queries, readFeed(queries, isKnown)).catch(() => undefined);
}

/** The newest page of the feed, if the home page has read it. */
function readFeed(queries: QueryClient, isKnown: IsKnown | undefined): Home['feed'] | undefined {
  const home = queries.getQueryCache().find({ queryKey: homeKey, exact: true });
  return home !== undefined && isKnown?.(home) ? (home.state.data as Home | undefined)?.feed : undefined;
}

/** Requests to follow a tag: what its owner and the requester see, how long they stay open, and how they end. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { found } from '../../kernel/errors.ts';
import { event } from '../../kernel/event.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { after, wireTime, wireTimeOrNull } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { notify } from '../notifications/notify.ts';
import { clearNotifications } from '../notifications/clear-notifications.ts';
import type { AnyViewer } from '../visibility/viewer.ts';
import { presentTagLabel, TagLabel, type TagRow } from './tags.ts';

/** The states of a follow request. */
export const request_states = ['pending', 'accepted', 'declined', 'cancelled'] as const;

/** How long a request stays open, and how long a decline suppresses new ones, in seconds. */
const request_term_s = 30 * 24 * 60 * 60;

export const FollowRequest = component(
  'FollowRequest',
  object({
    id: idOf('freq'),
    tag: TagLabel,
    user: PublicUser,
    state: oneOf(...request_states),
    message: Type.String(),
    created_at: moment,
    decided_at: nullable(moment),
  }),
);

export const followRequested = event(
  'follow.requested',
  'A follow request to one of your tags was created or cancelled.',
  object({ request: FollowRequest }),
);

export const followAccepted = event(
  'follow.accepted',
  'Your request to follow a tag was accepted.',
  object({ request: FollowRequest }),
);

/** A follow request with its tag and requester. */
export type RequestRow = {
  id: string;
  tag_id: string;
  owner_id: string;
  user_id: string;
  tag: { id: string; name: string; title: string };
  user: PublicUserRow;
  state: (typeof request_states)[number];
  message: string;
  created_at: Date;
  decided_at: Date | null;
  expires_at: Date;
};

/** The columns of RequestRow, over `follow_requests r join tags t join users u` (the requester). */
export const request_columns = sql`
  r.id, r.tag_id, r.owner_id, r.user_id, r.state, r.message, r.created_at, r.decided_at, r.expires_at,
  json_build_object('id', t.id, 'name', t.name, 'title', t.title) as tag, ${publicUserJson('u')} as user`;

/** A request as the tag's owner sees it. */
export function presentRequest(row: RequestRow, viewer: AnyViewer): Static<typeof FollowRequest> {
  return {
    id: row.id,
    tag: presentTagLabel(row.tag),
    user: presentUser(row.user, viewer),
    state: row.state,
    message: row.message,
    created_at: wireTime(row.created_at),
    decided_at: wireTimeOrNull(row.decided_at),
  };
}

/** A request as the requester sees it: a declined one looks pending. */
export function presentOutgoing(row: RequestRow, viewer: AnyViewer): Static<typeof FollowRequest> {
  const quiet = row.state === 'declined' ? { ...row, state: 'pending' as const, decided_at: null } : row;
  return presentRequest(quiet, viewer);
}

/**
 * One request with its tag and requester, locked until the end of the transaction. The tag is locked too, so that it
 * cannot be deleted meanwhile: a follow of a deleted tag would never be removed.
 */
export async function lockRequest(db: Queryable, which: Sql): Promise<RequestRow | undefined> {
  return db.maybe<RequestRow>(sql`
    select ${request_columns} from follow_requests r join tags t on t.id = r.tag_id join users u on u.id = r.user_id
    where ${which} for update of r for key share of t`);
}

/**
 * Cancels the open requests that a condition on `follow_requests r` selects, and clears their notifications. Earlier
 * declines stay in force: a later request is declined silently.
 * @returns the number of cancelled requests
 */
export async function cancelRequests(change: Change, which: Sql): Promise<number> {
  const rows = await change.db.many<RequestRow & { was_pending: boolean }>(sql`
    with open as (
      select r.id, r.state from follow_requests r where r.state in ('pending', 'declined') and ${which} order by r.id for update),
    ended as (
      update follow_requests r set state = 'cancelled', decided_at = ${change.now} from open where r.id = open.id
      returning r.*, open.state = 'pending' as was_pending)
    select ${request_columns}, r.was_pending from ended r join tags t on t.id = r.tag_id join users u on u.id = r.user_id`);
  await clearNotifications(
    change,
    rows.map(({ id }) => id),
  );
  for (const row of rows.filter(({ was_pending }) => was_pending))
    change.emit(followRequested, [`user:${row.owner_id}`], { request: presentRequest(row, change) });
  return rows.length;
}

/**
 * The request that looks pending to the requester: the existing one, or a new one. While an earlier decline is in force
 * the new one is declined silently, so that neither repeating the request nor the answer reveals it.
 */
export async function askToFollow(change: Change, tag: TagRow, user_id: string, message: string): Promise<RequestRow> {
  const { db, now } = change;
  const mine = sql`r.user_id = ${user_id} and r.tag_id = ${tag.id} and r.state in ('pending', 'declined')`;
  const expired = await db.many<{ id: string }>(sql`
    update follow_requests r set state = 'expired' where ${mine} and r.expires_at <= ${now} returning r.id`);
  await clearNotifications(
    change,
    expired.map(({ id }) => id),
  );
  const existing = await lockRequest(db, mine);
  if (existing) return existing;
  const id = change.id('freq');
  await db.run(sql`
    insert into follow_requests (id, tag_id, owner_id, user_id, state, message, created_at, decided_at, declined_at, expires_at)
    select ${id}, ${tag.id}, ${tag.owner.id}, ${user_id}, case when denied_at is null then 'pending' else 'declined' end,
           ${message}, ${now}::timestamptz, denied_at, denied_at, ${after(now, request_term_s)}::timestamptz
    from (
      select max(declined_at) as denied_at from follow_requests
      where user_id = ${user_id} and tag_id = ${tag.id} and declined_at > ${after(now, -request_term_s)}) denial`);
  const request = found(await lockRequest(db, sql`r.id = ${id}`));
  if (request.state !== 'pending') return request;
  change.emit(followRequested, [`user:${tag.owner.id}`], {
    request: presentRequest(request, change),
  });
  await notify(change, {
    to: tag.owner.id,
    kind: 'follow_request',
    subject: { type: 'tag', id: tag.id },
    actor_id: user_id,
    source_id: id,
  });
  return request;
}

/** How long after their expiry requests are still cleared: longer than any downtime of the service. */
const expired_memory_s = 7 * 86_400;

/** Clears owners' notifications of expired requests. @returns the number of cleared requests */
export async function clearExpiredRequests(change: Change, portion: number): Promise<number> {
  const { db, now } = change;
  const expired = await db.many<{ id: string }>(sql`
    select r.id from follow_requests r
    where r.expires_at <= ${now} and r.expires_at > ${after(now, -expired_memory_s)} and r.state = 'pending'
      and exists (select 1 from notification_acts a where a.source_id = r.id)
    order by r.expires_at limit ${portion}::int`);
  await clearNotifications(
    change,
    expired.map(({ id }) => id),
  );
  return expired.length;
}

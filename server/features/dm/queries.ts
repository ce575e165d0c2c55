import { publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { stillArchived } from '../../domain/chat/chat-settings.ts';
import { fileFlags } from '../../domain/chat/message-media.ts';
import { isNamed } from '../../domain/social/tags.ts';
import type { ThreadRow, ThreadState, UpdatedSide } from '../../domain/messages/threads.ts';
import { devicesOf } from '../../domain/notifications/push.ts';
import { lockThreadPair } from '../../domain/visibility/pairs.ts';
import { isKnownTo, maySeeUser, mayReach } from '../../domain/visibility/people.ts';
import { mayOpenTag } from '../../domain/visibility/tags.ts';
import { isMember, maySeeThread } from '../../domain/visibility/threads.ts';
import type { Viewer } from '../../domain/visibility/viewer.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { found, invalid } from '../../kernel/errors.ts';
import type { Change } from '../../kernel/services.ts';

/** The relation of the recipient to the sender. */
export type Peer = {
  id: string;
  /** Their reach allows the sender to send them messages. */
  reached: boolean;
  /** They follow the sender or have them as a contact. */
  knows: boolean;
};

/** The position of a thread in a list: an identifier without its prefix, which is ordered by time. */
export const sortKeyOf = (id: string) => id.slice(id.indexOf('_') + 1);

/** The owner of a tag that the viewer may open. */
export async function selectOwner(db: Queryable, tag: string, viewer: Viewer): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    select u.id from tags t join users u on u.id = t.owner_id
    where ${isNamed(tag.toLowerCase(), viewer.now)} and ${mayOpenTag(viewer.id)}`);
  return row?.id;
}

/** A user visible to the sender. */
export function selectPeer(db: Queryable, peer_id: string, writer_id: string): Promise<Peer | undefined> {
  return db.maybe<Peer>(sql`
    select u.id, ${mayReach(writer_id, 'message')} as reached, ${isKnownTo(writer_id)} as knows
    from users u where u.id = ${peer_id} and ${maySeeUser(writer_id)}`);
}

/** The data of a thread that sending needs: its two people and the peer's relation to the sender, without content. */
export type WriterThread = Pick<
  ThreadRow,
  'id' | 'user_id' | 'peer_gone' | 'state' | 'initiator_id' | 'decided_at' | 'cleared_up_to'
> & {
  peer_id: string;
  writer: PublicUserRow;
  peer_unread_count: number;
  has_messages: boolean;
  /** The hashes of the peer's devices. */
  devices: string[];
  /** The peer's reach allows everybody to send them messages. */
  is_open: boolean;
} & Omit<Peer, 'id'>;

/**
 * The thread of a sender, with the lock of its two people. The statements share a round trip and run one after the
 * other, so that the second sees what was committed while the first waited. The peer's relation to the sender is only
 * looked up when it matters, since that is an expensive statement, and most messages are in active threads with people
 * who accept messages from everybody.
 * @throws ApiError `not_found`
 */
export async function lockForWriting(db: Queryable, thread_id: string, writer_id: string): Promise<WriterThread> {
  const [, row] = await Promise.all([
    lockThreadPair(db, thread_id, writer_id),
    db.maybe<Omit<WriterThread, 'reached' | 'knows'>>(sql`
      select t.id, d.user_id, d.peer_id, u.deleted_at is not null as peer_gone, t.state, t.initiator_id, t.decided_at,
        d.cleared_up_to, t.has_messages, ${publicUserJson('sender')} as writer,
        ${devicesOf(sql`d.peer_id`)} as devices,
        theirs.unread_count as peer_unread_count, u.reach ->> 'message' = 'everyone' as is_open
      from dm_members d join dm_threads t on t.id = d.thread_id join users u on u.id = d.peer_id
        join dm_members theirs on theirs.thread_id = d.thread_id and theirs.user_id = d.peer_id
        join users sender on sender.id = d.user_id
      where t.id = ${thread_id} and ${maySeeThread(writer_id)}`),
  ]);
  const thread = found(row);
  if (thread.is_open && thread.has_messages) return { ...thread, reached: true, knows: false };
  // Nothing can be sent to a deleted peer.
  const peer = await selectPeer(db, thread.peer_id, writer_id);
  return { ...thread, reached: peer?.reached ?? false, knows: !thread.has_messages && (peer?.knows ?? false) };
}

/** Restricts a lookup to the two people of a thread. @throws ApiError `not_found` */
export async function requireMember(db: Queryable, id: string, viewer_id: string): Promise<void> {
  found(await db.maybe(sql`select 1 as seen where ${isMember(id, viewer_id)}`));
}

/** The thread of two people, as one of them sees it. */
export function selectThreadOf(
  db: Queryable,
  peer_id: string,
  viewer_id: string,
): Promise<Pick<ThreadRow, 'id' | 'folder'> | undefined> {
  const [low_id, high_id] = [peer_id, viewer_id].sort();
  return db.maybe(sql`
    select t.id, d.folder from dm_threads t join dm_members d on d.thread_id = t.id and d.user_id = ${viewer_id}
    where t.low_id = ${low_id} and t.high_id = ${high_id}`);
}

/** Inserts a thread, which only its initiator sees until a message is sent. The caller has locked the pair. */
export async function insertThread({ db, id, now }: Change, peer: Peer, viewer_id: string): Promise<string> {
  const thread_id = id('thr');
  const [low_id, high_id] = [peer.id, viewer_id].sort();
  await db.run(sql`
    with made as (
      insert into dm_threads (id, low_id, high_id, initiator_id, state, created_at)
      values (${thread_id}, ${low_id}, ${high_id}, ${viewer_id}, ${peer.knows ? 'active' : 'pending'}, ${now})
      returning id)
    insert into dm_members (thread_id, user_id, peer_id, folder, sort_key)
    select made.id, side.user_id, side.peer_id, side.folder, ${sortKeyOf(thread_id)}
    from made, (values (${viewer_id}, ${peer.id}, 'main'), (${peer.id}, ${viewer_id}, 'none')) as side (user_id, peer_id, folder)`);
  return thread_id;
}

/** Shows a thread to a user whose peer has opened it without sending a message, or who has deleted it, where it was. */
export async function showThread(db: Queryable, thread_id: string, user_id: string): Promise<void> {
  await db.run(sql`
    update dm_members d set folder = case
      when t.state = 'declined' and t.initiator_id <> d.user_id then 'declined' else 'main' end
    from dm_threads t where d.thread_id = ${thread_id} and d.user_id = ${user_id} and t.id = d.thread_id`);
}

/** A direct message before it is inserted. */
export type NewMessage = {
  id: string;
  body: string;
  media_count: number;
  reply_to_id: string | null;
  forwarded: boolean;
};

/** @throws ApiError `validation_failed` that names `reply_to` unless it is a message of the thread that the writer may read */
export async function requireReplyTarget(
  db: Queryable,
  { id, cleared_up_to }: Pick<WriterThread, 'id' | 'cleared_up_to'>,
  reply_to: string | undefined,
): Promise<string | null> {
  if (reply_to === undefined) return null;
  const known = await db.maybe(sql`
    select 1 from dm_messages
    where id = ${reply_to} and thread_id = ${id} and deleted_at is null and id > ${cleared_up_to ?? ''}`);
  return known ? reply_to : invalid({ reply_to: 'is not a message in this thread' });
}

/** The two sides of a thread after a message; no other transaction changes them while the pair is locked. */
export function sidesAfterMessage(
  { user_id, peer_id, peer_unread_count }: WriterThread,
  { state }: { state: ThreadState },
): UpdatedSide[] {
  return [
    { user_id, folder: 'main', unread_count: 0 },
    { user_id: peer_id, folder: state === 'active' ? 'main' : 'requests', unread_count: peer_unread_count + 1 },
  ];
}

/** Inserts a message, and updates both sides of its thread according to `sidesAfterMessage`. The caller has locked the pair. */
export async function insertMessage(
  { db, now }: Change,
  thread: Pick<ThreadRow, 'id' | 'user_id'>,
  message: NewMessage,
  moved: { state: ThreadState; initiator_id: string; decided: boolean },
  media: readonly string[] = [],
): Promise<void> {
  const sort_key = sortKeyOf(message.id);
  await db.run(sql`
    with made as (
      insert into dm_messages (
        id, thread_id, sender_id, body, media_count, reply_to_id, forwarded, created_at, has_media, has_documents)
      values (${message.id}, ${thread.id}, ${thread.user_id}, ${message.body}, ${message.media_count},
        ${message.reply_to_id}, ${message.forwarded}, ${now}, ${fileFlags(media)})),
    moved as (
      update dm_threads set has_messages = true, state = ${moved.state}, initiator_id = ${moved.initiator_id},
        decided_at = case when ${moved.decided}::boolean then ${now}::timestamptz else decided_at end
      where id = ${thread.id} and (not has_messages or ${moved.decided}::boolean
        or (state, initiator_id) <> (${moved.state}, ${moved.initiator_id})))
    update dm_members d set sort_key = ${sort_key}, archived = ${stillArchived(now, sql`d`)}, message_count = message_count + 1,
      folder = case when user_id = ${thread.user_id} or ${moved.state} = 'active' then 'main' else 'requests' end,
      unread_count = case when user_id = ${thread.user_id} then 0 else unread_count + 1 end,
      read_up_to = case when user_id = ${thread.user_id} then ${message.id} else read_up_to end
    where thread_id = ${thread.id}`);
}

/** Applies the answer to a request. Declining also marks it as read. */
export async function decideThread(
  { db, now }: Change,
  { id, user_id }: Pick<ThreadRow, 'id' | 'user_id'>,
  state: 'active' | 'declined',
): Promise<void> {
  const declines = state === 'declined';
  await db.run(sql`
    with decided as (
      update dm_threads set state = ${state}, decided_at = ${now} where id = ${id} returning has_messages)
    update dm_members set folder = ${declines ? 'declined' : 'main'},
      unread_count = case when ${declines}::boolean then 0 else unread_count end,
      read_up_to = case when ${declines}::boolean and decided.has_messages then 'dm_' || sort_key else read_up_to end
    from decided where thread_id = ${id} and user_id = ${user_id}`);
}

/** Advances a delivery marker; false when it did not move. The caller has locked the pair. */
export async function markDelivered(
  db: Queryable,
  { id, user_id }: Pick<ThreadRow, 'id' | 'user_id'>,
  up_to_id: string,
): Promise<boolean> {
  const moved = await db.run(sql`
    update dm_members set delivered_up_to = ${up_to_id}
    where thread_id = ${id} and user_id = ${user_id} and greatest(read_up_to, delivered_up_to, '') < ${up_to_id}`);
  return moved > 0;
}

/** @throws ApiError `validation_failed` that names `up_to_id` unless it is a message of the thread that its reader has not cleared */
export async function requireMark(
  db: Queryable,
  { id, cleared_up_to }: Pick<ThreadRow, 'id' | 'cleared_up_to'>,
  up_to_id: string,
): Promise<void> {
  const known = await db.maybe(sql`
    select 1 from dm_messages where id = ${up_to_id} and thread_id = ${id} and id > ${cleared_up_to ?? ''}`);
  if (!known) invalid({ up_to_id: 'is not a message in this thread' });
}

/** Advances a read marker; false when it did not move. The caller has locked the pair. */
export async function markRead(
  db: Queryable,
  { id, user_id }: Pick<ThreadRow, 'id' | 'user_id'>,
  up_to_id: string,
): Promise<boolean> {
  const moved = await db.run(sql`
    update dm_members set read_up_to = ${up_to_id}, marked_unread = false, unread_count = (
      select count(*) from dm_messages m
      where m.thread_id = ${id} and m.id > ${up_to_id} and m.sender_id <> ${user_id} and m.deleted_at is null)
    where thread_id = ${id} and user_id = ${user_id} and coalesce(read_up_to, '') < ${up_to_id}`);
  return moved > 0;
}

/** Erases the text of a message, and removes it from the recipient's unread count. The caller has locked the pair. */
export async function eraseMessage({ db, now }: Change, thread: ThreadRow, message_id: string): Promise<void> {
  await db.run(sql`
    with gone as (
      update dm_messages set body = '', media_count = 0, deleted_at = ${now} where id = ${message_id})
    update dm_members set unread_count = unread_count - 1
    where thread_id = ${thread.id} and user_id = ${thread.peer.id}
      and coalesce(greatest(read_up_to, cleared_up_to), '') < ${message_id}`);
}

/** The unread messages of a person, without requests and muted threads, and the requests that wait for an answer. */
export function selectUnreadCounts(
  db: Queryable,
  viewer_id: string,
  now: Date,
): Promise<{ count: number; pending: number }> {
  return db.one(sql`
    select coalesce(sum(d.unread_count) filter (where d.folder = 'main' and coalesce(d.muted_until <= ${now}, true)), 0)::int as count,
      (count(*) filter (where d.folder = 'requests'))::int as pending
    from dm_members d join users u on u.id = d.peer_id
    where (d.unread_count > 0 or d.folder = 'requests') and ${maySeeThread(viewer_id)}`);
}

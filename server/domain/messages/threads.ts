/** Threads: the direct messages of two people, each with their own view of it, and how a thread ends. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { found } from '../../kernel/errors.ts';
import { event } from '../../kernel/event.ts';
import { timeOfId } from '../../kernel/id.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { ChatSettings, presentSettings, type SettingsRow } from '../chat/chat-settings.ts';
import { lockThreadPair } from '../visibility/pairs.ts';
import { maySeeThread } from '../visibility/threads.ts';
import type { Viewer } from '../visibility/viewer.ts';
import {
  DirectMessage,
  directMessageJson,
  presentDirectMessage,
  selectDirectMessages,
  type DirectMessageRow,
} from './direct-messages.ts';

/** Whether the recipient of a message request has accepted it. */
export const thread_states = ['pending', 'active', 'declined'] as const;
/** Whether the recipient of a message request has accepted it. */
export type ThreadState = (typeof thread_states)[number];
/** Where a person finds a thread; `none` before anything was written to them. */
export const thread_folders = ['none', 'main', 'requests', 'declined'] as const;

export const Thread = component(
  'Thread',
  object({
    id: idOf('thr'),
    peer: PublicUser,
    peer_gone: Type.Boolean({ description: 'Their account was deleted; no more messages can be sent.' }),
    state: oneOf(...thread_states),
    initiated_by_me: Type.Boolean(),
    last_message: nullable(DirectMessage),
    unread_count: Type.Integer({ minimum: 0 }),
    read_up_to: nullable(idOf('dm')),
    peer_read_up_to: nullable({
      ...idOf('dm'),
      description: 'How far the peer has read, in an active thread while both have read receipts enabled.',
    }),
    delivered_up_to: nullable({ ...idOf('dm'), description: 'The last message delivered to one of your devices.' }),
    peer_delivered_up_to: nullable({
      ...idOf('dm'),
      description:
        'The last message delivered to a device of the peer, in an active thread, also while receipts are off. Messages that were read count as delivered.',
    }),
    cleared_up_to: nullable({
      ...idOf('dm'),
      description: 'The last message when you cleared the thread for yourself; you read later ones only. An extension.',
    }),
    settings: ChatSettings,
    active_at: {
      ...moment,
      description:
        'When its newest message was written, also one that you have cleared, or else when it was opened. An extension.',
    },
    created_at: moment,
  }),
);

export const dmMessage = event(
  'dm.message',
  'A message of a thread was created, edited, reacted to or deleted; sent to all devices of both people. `unread_count` is that of the thread.',
  object({ thread_id: idOf('thr'), message: DirectMessage, unread_count: Type.Integer({ minimum: 0 }) }),
);
export const dmThread = event(
  'dm.thread',
  'A thread was created, accepted or declined, its messages were delivered or read, or it was muted, archived or pinned.',
  object({ thread: Thread }),
);
export const dmGone = event('dm.gone', 'A thread was removed from your list.', object({ id: idOf('thr') }));
export const dmTyping = event(
  'dm.typing',
  'Your peer in a thread is typing. It is not stored and never replayed.',
  object({ thread_id: idOf('thr'), user: PublicUser }),
);

/** One person's side of a thread. */
export type ThreadRow = {
  id: string;
  user_id: string;
  peer: PublicUserRow;
  peer_gone: boolean;
  state: ThreadState;
  initiator_id: string;
  folder: (typeof thread_folders)[number];
  last_message: DirectMessageRow | null;
  unread_count: number;
  read_up_to: string | null;
  peer_read_up_to: string | null;
  delivered_up_to: string | null;
  peer_delivered_up_to: string | null;
  cleared_up_to: string | null;
  /** The identifier of the newest message, or else of the thread, without its prefix. */
  sort_key: string;
  created_at: Date;
  decided_at: Date | null;
} & SettingsRow;

/** Sides `d` of threads `t` with their peers `u`; the condition may end in an order. */
export function selectThreads(db: Queryable, which: Sql): Promise<ThreadRow[]> {
  return db.many<ThreadRow>(sql`
    select t.id, d.user_id, ${publicUserJson('u')} as peer, u.deleted_at is not null as peer_gone, t.state, t.initiator_id,
      d.folder, d.muted_until, d.archived, d.pinned_at, d.marked_unread, d.unread_count, d.read_up_to, t.created_at, t.decided_at,
      d.delivered_up_to, d.cleared_up_to, d.sort_key, greatest(other.delivered_up_to, other.read_up_to) as peer_delivered_up_to,
      case when u.read_receipts and (select me.read_receipts from users me where me.id = d.user_id) then other.read_up_to end as peer_read_up_to,
      (select ${directMessageJson} from dm_messages m join users sender on sender.id = m.sender_id
        where t.has_messages and m.id = 'dm_' || d.sort_key and m.id > coalesce(d.cleared_up_to, '')) as last_message
    from dm_members d join dm_threads t on t.id = d.thread_id join users u on u.id = d.peer_id
      left join dm_members other on other.thread_id = d.thread_id and other.user_id = d.peer_id
    where ${which}`);
}

/** A thread of the viewer. @throws ApiError `not_found` */
export async function requireThread(db: Queryable, id: string, viewer_id: string): Promise<ThreadRow> {
  const [row] = await selectThreads(db, sql`t.id = ${id} and ${maySeeThread(viewer_id)}`);
  return found(row);
}

/**
 * A thread of the viewer, with the lock of its two people: until the end of the transaction no other one can change it or
 * create a block between them. The statements share a round trip and run one after the other, so that the second sees what was
 * committed while the first waited.
 * @throws ApiError `not_found`
 */
export async function lockThread(db: Queryable, id: string, viewer_id: string): Promise<ThreadRow> {
  const [, thread] = await Promise.all([lockThreadPair(db, id, viewer_id), requireThread(db, id, viewer_id)]);
  return thread;
}

/**
 * Locks a message of a thread, for an action on it; no other action on the thread runs concurrently.
 * @throws ApiError `not_found`
 */
export async function lockThreadMessage(
  db: Queryable,
  path: { thread_id: string; message_id: string },
  user_id: string,
): Promise<{ thread: ThreadRow; which: Sql; message: DirectMessageRow }> {
  const thread = await lockThread(db, path.thread_id, user_id);
  const which = sql`m.id = ${path.message_id} and m.thread_id = ${thread.id}`;
  const readable = sql`m.deleted_at is null and m.id > ${thread.cleared_up_to ?? ''}`;
  const [message] = await selectDirectMessages(db, sql`${which} and ${readable}`);
  return { thread, which, message: found(message) };
}

/** A thread as one of its two people sees it. To the initiator, a declined request looks unanswered. */
export function presentThread(row: ThreadRow, viewer: Viewer): Static<typeof Thread> {
  const initiated_by_me = row.initiator_id === row.user_id;
  return {
    id: row.id,
    peer: presentUser(row.peer, viewer),
    peer_gone: row.peer_gone,
    state: row.state === 'declined' && initiated_by_me ? 'pending' : row.state,
    initiated_by_me,
    last_message: row.last_message && presentDirectMessage(row.last_message, viewer),
    unread_count: row.unread_count,
    read_up_to: row.read_up_to,
    peer_read_up_to: row.state === 'active' ? row.peer_read_up_to : null,
    delivered_up_to: row.delivered_up_to,
    peer_delivered_up_to: row.state === 'active' ? row.peer_delivered_up_to : null,
    cleared_up_to: row.cleared_up_to,
    settings: presentSettings(row, viewer.now),
    active_at: wireTime(timeOfId(`dm_${row.sort_key}`)),
    created_at: wireTime(row.created_at),
  };
}

/** Both sides of a thread within the change: the viewer's first. */
export async function selectSides(
  db: Queryable,
  thread_id: string,
  viewer_id: string,
): Promise<[mine: ThreadRow, theirs: ThreadRow]> {
  const rows = await selectThreads(db, sql`t.id = ${thread_id} order by d.user_id = ${viewer_id} desc`);
  const [mine, theirs] = rows;
  return [found(mine), found(theirs)];
}

/** Sends the state of a thread to the devices of some sides; those who may not see it are skipped. */
export function emitThread(change: Change, sides: ThreadRow[]): void {
  for (const side of sides) {
    if (side.folder === 'none') continue;
    const viewer = { id: side.user_id, now: change.now, services: change.services };
    change.emit(dmThread, [`user:${side.user_id}`], { thread: presentThread(side, viewer) });
  }
}

/** One person's side of a thread after a message; the unread count may be computed by the database. */
export type UpdatedSide = Pick<ThreadRow, 'user_id' | 'folder'> & {
  unread_count: number | Sql;
  cleared_up_to?: string | null;
};

/** Sends a message to the devices of both people who may read it, each with separate file addresses. */
export function emitMessage(change: Change, sides: UpdatedSide[], message: DirectMessageRow): void {
  const { thread_id } = message;
  for (const { user_id, folder, unread_count, cleared_up_to } of sides) {
    if (folder === 'none' || message.id <= (cleared_up_to ?? '')) continue;
    const shown = presentDirectMessage(message, { id: user_id, now: change.now, services: change.services });
    const known = typeof unread_count === 'number';
    const data = { thread_id, message: shown, unread_count: known ? unread_count : 0 };
    change.emit(dmMessage, [`user:${user_id}`], data, known ? undefined : { unread_count });
  }
}

/**
 * Ends the thread of two people when one blocks the other. An active thread becomes a request of the blocked person
 * that the blocker declined, a pending one is declined, and no notification is sent: after the block they can read the
 * history, and only the blocker can restart it. The caller has locked the pair.
 */
export async function endThreadBetween(change: Change, blocker_id: string, blocked_id: string): Promise<void> {
  const [low_id, high_id] = [blocker_id, blocked_id].sort();
  const ended = await change.db.maybe<{ id: string }>(sql`
    update dm_threads set
      initiator_id = case when state = 'active' then ${blocked_id} else initiator_id end,
      decided_at = case when has_messages then coalesce(decided_at, ${change.now}) end,
      state = case when has_messages then 'declined' else 'pending' end
    where low_id = ${low_id} and high_id = ${high_id} returning id`);
  if (!ended) return;
  const seen = await change.db.many<{ user_id: string }>(sql`
    update dm_members d set folder = case
      when t.state = 'pending' then d.folder when d.user_id = t.initiator_id then 'main' else 'declined' end
    from dm_threads t where d.thread_id = ${ended.id} and t.id = d.thread_id and d.folder <> 'none'
    returning d.user_id`);
  const topics = seen.map(({ user_id }) => `user:${user_id}` as const);
  change.emit(dmGone, topics, { id: ended.id });
}

/** Hides threads of a deleted account from the others of its pairs, whose blocks are deleted: they stay hidden. */
export async function hideThreads(db: Queryable, pairs: { user_id: string; peer_id: string }[]): Promise<void> {
  const [users, peers] = [pairs.map(({ user_id }) => user_id), pairs.map(({ peer_id }) => peer_id)];
  await db.run(sql`
    update dm_members p set folder = 'none' from unnest(${users}::text[], ${peers}::text[]) as pair (user_id, peer_id)
      join dm_threads t on t.low_id = least(pair.user_id, pair.peer_id) and t.high_id = greatest(pair.user_id, pair.peer_id)
    where p.thread_id = t.id and p.user_id = pair.peer_id and p.folder <> 'none'`);
}

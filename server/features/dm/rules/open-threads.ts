/** A node's cache of active threads: a text message in one of them needs a single round trip. */
import type { Static } from '../../../kernel/schema.ts';
import { stillArchived } from '../../../domain/chat/chat-settings.ts';
import { emitMessage, type UpdatedSide } from '../../../domain/messages/threads.ts';
import {
  presentDirectMessage,
  type DirectMessage,
  type DirectMessageRow,
} from '../../../domain/messages/direct-messages.ts';
import { devicesOf, pushToDevices } from '../../../domain/notifications/push.ts';
import { lockPair } from '../../../domain/visibility/pairs.ts';
import { maySeeUser } from '../../../domain/visibility/people.ts';
import { sql } from '../../../kernel/database/database.ts';
import { createRowCache, requireUnchanged } from '../../../kernel/row-cache.ts';
import type { Change } from '../../../kernel/services.ts';
import { pushDm } from './push-dm.ts';
import { sortKeyOf, type NewMessage, type WriterThread } from '../queries.ts';

/** A cached thread: active, and the peer accepts messages from everybody. */
export type OpenThread = Pick<WriterThread, 'id' | 'user_id' | 'peer_id' | 'writer' | 'devices'>;

/** The cache entry of a thread; undefined when it does not qualify. */
export function openThreadOf(thread: WriterThread): OpenThread | undefined {
  const { id, user_id, peer_id, writer, devices, state, has_messages, is_open } = thread;
  return is_open && state === 'active' && has_messages ? { id, user_id, peer_id, writer, devices } : undefined;
}

/**
 * Inserts a text message in a cached thread, with the lock of its two people, provided that the cached data are
 * current. No read precedes it, so that it is one statement with its events, and one round trip with the commit. Its
 * identifier was created before the lock was acquired: if a later message exists by then it is refused as well, since
 * read markers would skip it.
 * @returns the sides that it updates
 */
function insertFromCache(
  { db, now, awaitAtCommit, writeWithEvents }: Pick<Change, 'db' | 'now' | 'awaitAtCommit' | 'writeWithEvents'>,
  { id, user_id, peer_id, writer, devices }: OpenThread,
  message: NewMessage,
  onFailed: () => void,
): UpdatedSide[] {
  awaitAtCommit(lockPair(db, user_id, peer_id));
  const sort_key = sortKeyOf(message.id);
  const written = writeWithEvents(sql`
    made as (
      insert into dm_messages (id, thread_id, sender_id, body, created_at, place)
      select ${message.id}, ${id}, ${user_id}, ${message.body}, ${now}::timestamptz,
        (select d.message_count from dm_members d where d.thread_id = ${id} and d.user_id = ${user_id})
      where ${requireUnchanged(sql`exists (
        select 1 from dm_threads t, users u, users sender
        where t.id = ${id} and t.state = 'active' and t.has_messages and u.id = ${peer_id} and sender.id = ${user_id}
          and ${maySeeUser(user_id)} and u.reach ->> 'message' = 'everyone'
          and ${devicesOf(peer_id)} = ${devices}::text[]
          and (sender.username, sender.display_name, coalesce(sender.avatar_key, ''))
            = (${writer.username}, ${writer.display_name}, ${writer.avatar_key ?? ''}))`)}),
    moved as (
      update dm_members d set sort_key = ${sort_key}, archived = ${stillArchived(now, sql`d`)}, folder = 'main',
        message_count = message_count + 1,
        unread_count = case when user_id = ${user_id} then 0 else unread_count + 1 end,
        read_up_to = case when user_id = ${user_id} then ${message.id} else read_up_to end
      where thread_id = ${id} and user_id = any(${[user_id, peer_id]}::text[])
        and ${requireUnchanged(sql`d.sort_key < ${sort_key} and d.folder <> 'none'`)}
      returning user_id, unread_count)`);
  written.catch(onFailed);
  awaitAtCommit(written);
  const unread = sql`(select unread_count from moved where user_id = ${peer_id})`;
  return [
    { user_id, folder: 'main', unread_count: 0 },
    { user_id: peer_id, folder: 'main', unread_count: unread },
  ];
}

/** A new message without files. */
export const plainMessage = (
  { id: thread_id, writer }: OpenThread,
  message: NewMessage,
  now: Date,
): DirectMessageRow => ({
  id: message.id,
  thread_id,
  sender: writer,
  body: message.body,
  media: [],
  reply_to_id: message.reply_to_id,
  reactions: [],
  forwarded: message.forwarded,
  created_at: now,
  edited_at: null,
  deleted_at: null,
});

/** Active threads, with their last sender. */
export const open_threads = createRowCache<OpenThread>(10_000);

/** Notifies the devices of the peer. */
export function pushMessage(
  change: Pick<Change, 'enqueue' | 'id'>,
  { id, peer_id, devices }: OpenThread,
  message_id: string,
): void {
  const addressed = devices.map((hash) => ({ hash, user_id: peer_id }));
  pushToDevices(change, addressed, { job: pushDm, payload: { message_id }, subject: { type: 'thread', id } });
}

/** Sends a text message in a cached thread, together with its events and the commit. */
export function writeFromCache(change: Change, thread: OpenThread, body: string): Static<typeof DirectMessage> {
  const message = { id: change.id('dm'), body, media_count: 0, reply_to_id: null, forwarded: false };
  const cache_key = `${thread.id} ${thread.user_id}`;
  const sides = insertFromCache(change, thread, message, () => open_threads.delete(change.services, cache_key));
  const written = plainMessage(thread, message, change.now);
  emitMessage(change, sides, written);
  pushMessage(change, thread, message.id);
  return presentDirectMessage(written, { id: thread.user_id, now: change.now, services: change.services });
}

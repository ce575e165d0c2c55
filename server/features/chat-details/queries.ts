import { publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { readChatPage } from '../../domain/chat/chat-pages.ts';
import { readableIn, requireGroupMembership, type GroupMembership } from '../../domain/chat/group-chats.ts';
import { isListed, type MediaKind } from '../../domain/chat/message-media.ts';
import { callReactionsSeenBy, guestJson, reactionsSeenBy, selectChatMessages } from '../../domain/chat/messages.ts';
import type { MessageFamily } from '../../domain/chat/reactions-and-edits.ts';
import type { FileRow } from '../../domain/files/files.ts';
import { selectMessagesOfThread } from '../../domain/messages/direct-messages.ts';
import { requireThread } from '../../domain/messages/threads.ts';
import { mayReadCallMessage } from '../../domain/visibility/calls.ts';
import { mayReadGroupMessage, couldReadGroupMessage } from '../../domain/visibility/groups.ts';
import { isActive, isSuspended, isWriterShown } from '../../domain/visibility/people.ts';
import { mayReadDirectMessage, mayReadThread } from '../../domain/visibility/threads.ts';
import type { Viewer } from '../../domain/visibility/viewer.ts';
import { mayReadWidgetMessage } from '../../domain/visibility/widgets.ts';
import { raw, sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail } from '../../kernel/errors.ts';
import { isId } from '../../kernel/id.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { default_limit, pageOf, type Page } from '../../kernel/page.ts';

const max_pins = default_limits.pinned_messages;

/** A chat whose messages are listed and pinned. */
type Chat = { thread_id: string } | { group_id: string };

/** Message `m` of each family may be read by the viewer. */
const mayRead = (viewer_id: string): Record<MessageFamily, Sql> => ({
  dm: mayReadDirectMessage(viewer_id),
  chat: sql`case when m.group_id is null then ${mayReadWidgetMessage(viewer_id)} else ${mayReadGroupMessage(viewer_id)} end`,
  call: mayReadCallMessage(viewer_id),
});

/** The tables of a message that the viewer may read, deleted or not; undefined when there is none. */
export async function selectMessageFamily(
  db: Queryable,
  message_id: string,
  viewer_id: string,
): Promise<MessageFamily | undefined> {
  const families: MessageFamily[] = isId('dm', message_id) ? ['dm'] : ['chat', 'call'];
  const may_read = mayRead(viewer_id);
  const found = await Promise.all(
    families.map((family) =>
      db.maybe(sql`select 1 from ${raw(`${family}_messages`)} m where m.id = ${message_id} and ${may_read[family]}`),
    ),
  );
  return families.find((_, at) => found[at] !== undefined);
}

/** A reaction, and the account or guest who added it. */
export type ReactionRow = {
  id: string;
  emoji: string;
  user: PublicUserRow | null;
  guest: { id: string; name: string; name_is_default?: true } | null;
  reacted_at: Date;
};

/**
 * The reactions to a message that a viewer may see, newest first, one more than the page. If the reaction of the cursor was
 * removed meanwhile, the list starts again.
 */
export function selectReactions(
  db: Queryable,
  { family, message_id }: { family: MessageFamily; message_id: string },
  viewer_id: string,
  { emoji, before_id, limit = default_limit, offset = 0 }: Page & { emoji?: string },
): Promise<ReactionRow[]> {
  const reactions = raw(`${family}_reactions`);
  const has_guests = family !== 'dm';
  const seen_by = { dm: () => sql`not ${isSuspended('r.user_id')}`, chat: reactionsSeenBy, call: callReactionsSeenBy };
  const author_id = has_guests ? sql`r.reactor_id` : sql`r.user_id`;
  // A reaction that the viewer may not see is no cursor either: the page after it would tell that it is there.
  const cursor = sql`
    and not exists (select 1 from cursor c where (r.created_at, r.id) >= (c.created_at, c.id))`;
  return db.many<ReactionRow>(sql`
    with shown as (
      select ${author_id} as id, r.emoji, r.created_at, r.user_id, ${has_guests ? sql`r.guest_id` : sql`null`} as guest_id
      from ${reactions} r
      where r.message_id = ${message_id} and ${seen_by[family](viewer_id)}),
    cursor as materialized (select created_at, id from shown where id = ${before_id ?? ''})
    select r.id, r.emoji, r.created_at as reacted_at,
      (select ${publicUserJson('u')} from users u where u.id = r.user_id) as user,
      ${has_guests ? sql`(select ${guestJson} from guests gu where gu.id = r.guest_id)` : sql`null`} as guest
    from shown r
    where true ${emoji === undefined ? sql`` : sql`and r.emoji = ${emoji}`} ${before_id === undefined ? sql`` : cursor}
    order by r.created_at desc, r.id desc limit ${limit + 1} offset ${offset}`);
}

/** Whether a member of a group has received or read one message. */
export type ReceiptRow = {
  user: PublicUserRow;
  receipts: boolean;
  is_read: boolean;
  is_delivered: boolean;
  /** Undefined where it was not the latest step of the member that reached the message. */
  read_at: Date | null;
  delivered_at: Date | null;
};

/** How far members of a group are with a message, those of them whose account is active. */
export function selectReceipts(
  db: Queryable,
  { group_id, message_id }: { group_id: string; message_id: string },
  member_ids: string[],
): Promise<ReceiptRow[]> {
  return db.many<ReceiptRow>(sql`
    select ${publicUserJson('u')} as user, u.read_receipts as receipts,
      coalesce(r.read_up_to >= ${message_id}, false) as is_read,
      coalesce(greatest(r.delivered_up_to, r.read_up_to) >= ${message_id}, false) as is_delivered,
      case when coalesce(r.read_from, '') < ${message_id} then r.read_at end as read_at,
      case when r.delivered_up_to >= ${message_id} and coalesce(r.delivered_from, '') < ${message_id} then r.delivered_at end as delivered_at
    from users u left join group_chat_reads r on r.group_id = ${group_id} and r.user_id = u.id
    where u.id = any(${member_ids}::text[]) and ${isActive()} order by u.id`);
}

/** Whether an account has read receipts on. */
export async function hasReceipts(db: Queryable, user_id: string): Promise<boolean> {
  return (await db.maybe(sql`select 1 from users where id = ${user_id} and read_receipts`)) !== undefined;
}

/**
 * Advances how far a member's devices have received messages; it never moves back. Those who have left have no row, so
 * that the group need not be locked.
 */
export async function updateDelivered(
  db: Queryable,
  { group_id }: GroupMembership,
  user_id: string,
  up_to_id: string,
  now: Date,
): Promise<void> {
  await db.run(sql`
    update group_chat_reads
    set delivered_from = greatest(delivered_up_to, read_up_to), delivered_up_to = ${up_to_id}, delivered_at = ${now}
    where group_id = ${group_id} and user_id = ${user_id}
      and coalesce(greatest(delivered_up_to, read_up_to), '') < ${up_to_id}`);
}

/** A message of a list, of either kind of chat. */
export type ListedRow = {
  id: string;
  author: PublicUserRow | null;
  body: string;
  files: FileRow[];
  created_at: string | Date;
};

/** The messages `m` of a thread in a list, one more than the page. */
async function selectListedOfThread(
  db: Queryable,
  thread_id: string,
  { services, id }: Viewer,
  which: Sql,
  page: Page,
): Promise<ListedRow[]> {
  await requireThread(db, thread_id, id);
  const readable = sql`${which} and ${mayReadThread(thread_id, id)} ${pageOf(page, 'm.id')}`;
  const rows = await selectMessagesOfThread(db, thread_id, readable, services);
  return rows.map(({ sender, media, ...row }) => ({ ...row, author: sender, files: media }));
}

/** The messages of a chat that are in a list of its media, one more than the page. */
export async function selectMedia(
  db: Queryable,
  chat: Chat,
  viewer: Viewer,
  kind: MediaKind,
  page: Page,
): Promise<ListedRow[]> {
  if ('thread_id' in chat) return selectListedOfThread(db, chat.thread_id, viewer, isListed(kind), page);
  const { group_id } = chat;
  const { before_id, limit = default_limit, offset = 0 } = page;
  const membership = await requireGroupMembership(db, group_id, viewer.id);
  const rows = await readChatPage(
    {
      table: 'chat_messages',
      of: sql`m.group_id = ${group_id} and ${isListed(kind)}`,
      since_id: membership.since_id,
      may_read: couldReadGroupMessage(viewer.id),
      is_shown: isWriterShown(viewer.id),
    },
    { below: before_id, is_oldest_first: false, limit: limit + 1, offset },
    (from, which) => selectChatMessages(db, which, viewer.id, from),
  );
  return rows;
}

/** Message `m` is pinned: a condition that the indexes support. */
const isPinned = sql`m.pinned and m.deleted_at is null`;

/** The pinned messages of a chat that the viewer may read, one more than the page. */
export async function selectPinned(db: Queryable, chat: Chat, viewer: Viewer, page: Page): Promise<ListedRow[]> {
  if ('thread_id' in chat) return selectListedOfThread(db, chat.thread_id, viewer, isPinned, page);
  const membership = await requireGroupMembership(db, chat.group_id, viewer.id);
  const which = sql`${readableIn(membership, viewer.id)} and ${isPinned} ${pageOf(page, 'm.id')}`;
  return selectChatMessages(db, which, viewer.id);
}

/**
 * Pins or unpins a message of a chat, which is locked until the end of the transaction.
 * @returns whether that is a change
 * @throws ApiError `limit_reached` when as many other messages of the chat are pinned as may be
 */
export async function updatePinned(
  db: Queryable,
  { message_id, pinned, ...chat }: Chat & { message_id: string; pinned: boolean },
): Promise<boolean> {
  const [messages, of] =
    'thread_id' in chat
      ? [sql`dm_messages m`, sql`m.thread_id = ${chat.thread_id}`]
      : [sql`chat_messages m`, sql`m.group_id = ${chat.group_id}`];
  if (pinned) {
    const { count } = await db.one<{ count: number }>(sql`
      select count(*)::int as count from (
        select 1 from ${messages} where ${of} and ${isPinned} and m.id <> ${message_id} limit ${max_pins}::int) others`);
    if (count >= max_pins) fail('limit_reached', { message: `A chat can have up to ${max_pins} pinned messages.` });
  }
  const changed = await db.run(
    sql`update ${messages} set pinned = ${pinned} where m.id = ${message_id} and m.pinned <> ${pinned}`,
  );
  return changed > 0;
}

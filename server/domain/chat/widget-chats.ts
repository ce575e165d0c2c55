/**
 * The chats of widgets: one conversation for each guest with the widget's agents, and notices to all
 * guests.
 */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { callerIdOf, isGuest, type Caller, type Guest } from '../../kernel/caller.ts';
import type { Topic } from '../../kernel/event.ts';
import { fail, found, invalid } from '../../kernel/errors.ts';
import type { Span } from '../../kernel/page.ts';
import type { Change } from '../../kernel/services.ts';
import { areNotBlocked, isWriterShown } from '../visibility/people.ts';
import { mayReadWidgetMessage, isWidgetAgent } from '../visibility/widgets.ts';
import { readChatPage } from './chat-pages.ts';
import { lockMessage, type LockedMessage } from './message-actions.ts';
import { file_columns, fileValues, messageJson, type MessageRow, type NewMessage } from './messages.ts';

/** A message of a widget. */
export type WidgetMessageRow = MessageRow & {
  /** The guest whose conversation it belongs to; null for a notice. */
  guest_id: string | null;
};

/** The caller's role in the chat of a widget. */
export type WidgetRole = {
  widget_id: string;
  owner_id: string;
  group_id: string | null;
  /** The guest; undefined for an agent. */
  guest_id: string | undefined;
};

/** The caller's role in the chat of a widget. @throws ApiError `not_found` for anybody else */
export async function requireWidgetRole(db: Queryable, widget_id: string, caller: Caller | Guest): Promise<WidgetRole> {
  if (isGuest(caller)) {
    const { owner_id, guest_id } = caller;
    if (caller.place_id !== widget_id) fail('not_found');
    const row = await db.maybe<{ group_id: string | null }>(sql`
      select w.group_id from widgets w where w.id = ${widget_id} and w.deleted_at is null and w.enabled`);
    return { widget_id, owner_id, guest_id, group_id: found(row).group_id };
  }
  const row = await db.maybe<{ owner_id: string; group_id: string | null }>(sql`
    select w.owner_id, w.group_id from widgets w where w.id = ${widget_id} and ${isWidgetAgent(caller.user_id)}`);
  return { widget_id, guest_id: undefined, ...found(row) };
}

/** The conversation of a new message: a guest's own, or the one that an agent names. */
export async function requireConversation(
  db: Queryable,
  place: WidgetRole,
  named: string | undefined,
): Promise<string | null> {
  if (place.guest_id !== undefined) {
    if (named !== undefined && named !== place.guest_id) invalid({ guest_id: 'is not available to guests' });
    return place.guest_id;
  }
  if (named === undefined) return null;
  const known = await db.maybe(sql`select 1 from guests where id = ${named} and widget_id = ${place.widget_id}`);
  return known ? named : invalid({ guest_id: 'is not a guest of this widget' });
}

const columns = (viewer_id: string) => sql`${messageJson(viewer_id)} as message, m.guest_id`;

async function selectMessages(db: Queryable, statement: Sql): Promise<WidgetMessageRow[]> {
  const rows = await db.many<{ message: MessageRow; guest_id: string | null }>(statement);
  return rows.map(({ message, guest_id }) => ({ ...message, guest_id }));
}

/**
 * A part of the chat of a widget: of all of it, or of one guest's conversation together with the notices, each read from
 * its own index.
 */
export async function selectWidgetChat(
  db: Queryable,
  { widget_id }: WidgetRole,
  viewer_id: string,
  guest_id: string | undefined,
  span: Span,
): Promise<WidgetMessageRow[]> {
  const readPart = (part: Span, whose: { guest_id?: string | null }) =>
    readChatPage(
      {
        table: 'chat_messages',
        of: sql`m.widget_id = ${widget_id}`,
        ...whose,
        may_read: mayReadWidgetMessage(viewer_id),
        is_shown: isWriterShown(viewer_id),
      },
      part,
      (from, which) => selectMessages(db, sql`select ${columns(viewer_id)} from ${from} where ${which}`),
    );
  if (guest_id === undefined) return readPart(span, {});
  const reach = { ...span, limit: span.limit + span.offset, offset: 0 };
  const parts = await Promise.all([readPart(reach, { guest_id }), readPart(reach, { guest_id: null })]);
  const direction = span.is_oldest_first ? 1 : -1;
  const rows = parts.flat().toSorted((one, other) => (one.id < other.id ? -direction : direction));
  return rows.slice(span.offset, span.offset + span.limit);
}

/** A message of a widget that a caller may read there, deleted or not. */
export async function selectWidgetMessage(
  db: Queryable,
  { widget_id }: WidgetRole,
  viewer_id: string,
  message_id: string,
): Promise<WidgetMessageRow | undefined> {
  const [row] = await selectMessages(
    db,
    sql`select ${columns(viewer_id)} from chat_messages m
      where m.id = ${message_id} and m.widget_id = ${widget_id} and ${mayReadWidgetMessage(viewer_id)}`,
  );
  return row;
}

/** Locks a message in the chat of a widget, for an action on it. @throws ApiError `not_found` */
export async function lockWidgetMessage(
  db: Queryable,
  { widget_id, message_id }: { widget_id: string; message_id: string },
  caller: Caller | Guest,
): Promise<LockedMessage & { owner_id: string }> {
  const place = await requireWidgetRole(db, widget_id, caller);
  const viewer_id = callerIdOf(caller);
  const user_id = isGuest(caller) ? null : caller.user_id;
  await lockMessage(db, 'chat', message_id);
  const row = found(await selectWidgetMessage(db, place, viewer_id, message_id));
  if (row.deleted_at) fail('not_found');
  // A guest's action on a notice is not shown to other guests.
  const conversation = row.guest_id ?? place.guest_id ?? null;
  return {
    family: 'chat',
    place: { widget_id, ...(conversation === null ? {} : { guest_id: conversation }) },
    row,
    owner_id: place.owner_id,
    async selectRecipients() {
      const { recipients } = await selectAgents(db, place, user_id, message_id);
      return recipientsOf(widget_id, conversation, recipients);
    },
    reread: async () => found(await selectWidgetMessage(db, place, viewer_id, message_id)),
  };
}

/**
 * @throws ApiError `validation_failed` that names `reply_to` unless it is a message that everybody in the
 *   conversation may read
 */
export async function requireReplyTargetInWidget(
  db: Queryable,
  place: WidgetRole,
  viewer_id: string,
  conversation: string | null,
  reply_to: string | undefined,
): Promise<string | null> {
  if (reply_to === undefined) return null;
  const row = await selectWidgetMessage(db, place, viewer_id, reply_to);
  const is_known = row && !row.deleted_at && (row.guest_id === null || row.guest_id === conversation);
  return is_known ? reply_to : invalid({ reply_to: 'is not a message in this chat' });
}

/**
 * The agents of a widget, and those of them who are in a block with the author.
 * @param message_id excludes those from whom this message is hidden
 */
export async function selectAgents(
  db: Queryable,
  { owner_id, group_id }: WidgetRole,
  author_id: string | null,
  message_id?: string,
): Promise<{ recipients: string[]; blocked: string[] }> {
  const rows = await db.many<{ id: string; is_blocked: boolean }>(sql`
    select p.id, not ${areNotBlocked(author_id ?? '', 'p.id')} as is_blocked
    from (select ${owner_id}::text as id
          union select g.owner_id from groups g where g.id = ${group_id} and g.deleted_at is null
          union select i.user_id from group_invites i join groups g on g.id = i.group_id
            where i.group_id = ${group_id} and i.state = 'accepted' and g.deleted_at is null) p
    where not exists (select 1 from chat_messages m where m.id = ${message_id ?? null} and p.id = any(m.hidden_from))`);
  const idsOf = (is_blocked: boolean) => rows.filter((one) => one.is_blocked === is_blocked).map(({ id }) => id);
  return { recipients: idsOf(false), blocked: idsOf(true) };
}

/** A message of a widget before it is inserted. */
export type NewWidgetMessage = NewMessage & {
  id: string;
  author_id: string | null;
  guest_id: string | null;
  hidden_from: string[];
};

/** Inserts a message into the chat of a widget. */
export async function insertWidgetMessage(
  { db, now }: Pick<Change, 'db' | 'now'>,
  widget_id: string,
  message: NewWidgetMessage,
): Promise<void> {
  await db.run(sql`
    insert into chat_messages (id, widget_id, guest_id, author_id, kind, body, ${file_columns}, reply_to_id, forwarded, hidden_from, created_at)
    values (${message.id}, ${widget_id}, ${message.guest_id}, ${message.author_id}, ${message.kind}, ${message.body},
      ${fileValues(message.file_ids)}, ${message.reply_to_id}, ${message.forwarded}, ${message.hidden_from}::text[], ${now})`);
}

/** The topics that receive a message: its agents, and the guest of the conversation, or all guests. */
export function recipientsOf(widget_id: string, guest_id: string | null, users: string[]): Topic[] {
  const guests: Topic = guest_id === null ? `session:${widget_id}` : `user:${guest_id}`;
  return [guests, ...users.map((id): Topic => `user:${id}`)];
}

/** Chat messages: the schema shared by the chats of calls, groups and widgets, loading, and events. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import { event } from '../../kernel/event.ts';
import { isId } from '../../kernel/id.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import {
  component,
  idOf,
  moment,
  nullable,
  object,
  oneOf,
  optional,
  visibleText,
  Type,
  type Static,
} from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { NameIsDefault } from '../accounts/default-names.ts';
import { JoinCode } from '../calls/state/calls.ts';
import { Mentions, type MentionRow } from '../social/mentions.ts';
import { isActorVisible, isSuspended } from '../visibility/people.ts';
import { File, chatFilesJson, presentFile, attachFiles, type FileRow, type FileSubject } from '../files/files.ts';
import { reactionsJson, Reactions, type Reaction } from './reactions-and-edits.ts';
import type { Viewer } from '../visibility/viewer.ts';

/** A guest without an account, in the chat of a widget or a call. */
export const ChatGuest = component(
  'ChatGuest',
  object({
    id: idOf('gst'),
    name: Type.String(),
    name_is_default: NameIsDefault,
  }),
);

/** A guest `gu` as one JSON value, in the form of `ChatGuest`. */
export const guestJson = sql`json_strip_nulls(json_build_object(
  'id', gu.id, 'name', gu.name, 'name_is_default', nullif(gu.name_is_default, false)))`;

/** The people whom a message mentions. */
const GroupMentions = {
  ...Mentions,
  description: 'Members of a group whom a message of its chat mentions by `@username`; empty in other chats.',
};

/** The maximum of files in one message. */
const max_files = default_limits.message_media;

/** What a message of a chat consists of; `system` ones are written by the service. */
export const message_kinds = ['text', 'media', 'system'] as const;

export const ChatMessage = component(
  'ChatMessage',
  object({
    id: idOf('chat'),
    author: nullable(object({ user: nullable(PublicUser), guest: nullable(ChatGuest) }), {
      description: 'Null for messages of the service.',
    }),
    kind: oneOf(...message_kinds),
    body: Type.String(),
    mentions: GroupMentions,
    file: nullable(File),
    files: optional(
      Type.Array(File, {
        maxItems: max_files,
        description: 'All files of a message that has several, of which `file` is the first. An extension.',
      }),
    ),
    reply_to: nullable(idOf('chat')),
    reactions: Reactions,
    forwarded: Type.Boolean({ description: 'Forwarded from another chat; cannot be edited.' }),
    created_at: moment,
    edited_at: nullable(moment),
    deleted_at: nullable(moment, { description: 'Deleted messages remain as placeholders without text and file.' }),
  }),
);

/** The body of a request that sends a message to the chat of a call, a group or a widget: text, files, or both. */
export const chatBody = {
  body: optional(visibleText(1, 4000)),
  file_id: optional(idOf('file')),
  file_ids: optional(
    Type.Array(idOf('file'), {
      minItems: 1,
      maxItems: max_files,
      description: 'Several files, in the order in which they are shown; in place of `file_id`. An extension.',
    }),
  ),
  reply_to: optional(idOf('chat')),
};

/** The chat of an event. */
export type ChatReference = {
  conference_id?: string;
  join_code?: string;
  group_id?: string;
  widget_id?: string;
  guest_id?: string;
};

/**
 * The chat of an event: of a call, a group or a widget, and for a widget one guest's conversation unless all guests see
 * the message.
 */
const place = {
  conference_id: optional(idOf('conf')),
  join_code: optional(JoinCode),
  group_id: optional(idOf('grp')),
  widget_id: optional(idOf('wid')),
  guest_id: optional(idOf('gst')),
};

export const chatMessage = event(
  'chat.message',
  'A chat message was posted.',
  object({ ...place, message: ChatMessage }),
);
export const chatDeleted = event(
  'chat.deleted',
  'A chat message was deleted; it remains as a placeholder without text and file.',
  object({ ...place, message: ChatMessage }),
);
export const chatEdited = event(
  'chat.edited',
  'A chat message was edited.',
  object({ ...place, message_id: idOf('chat'), body: Type.String(), mentions: GroupMentions, edited_at: moment }),
);
export const chatReaction = event(
  'chat.reaction',
  'A reaction to a chat message was set or removed. It replaces the previous reaction of the same person.',
  object({
    ...place,
    message_id: idOf('chat'),
    user_id: optional(idOf('usr')),
    by_guest_id: optional({
      ...idOf('gst'),
      description: 'Instead of `user_id`, for a guest without an account.',
    }),
    emoji: nullable(Type.String()),
  }),
);
export const chatTyping = event(
  'chat.typing',
  'Someone is typing in a chat. It is not stored and never replayed.',
  object({ ...place, user: nullable(PublicUser), guest: nullable(ChatGuest) }),
);
export const chatRead = event(
  'chat.read',
  'You read a group chat on one of your devices.',
  object({
    group_id: idOf('grp'),
    up_to_id: idOf('chat'),
    unread_count: Type.Integer({ minimum: 0 }),
    unread_mentions: Type.Integer({ minimum: 0 }),
  }),
);

/** What is written as a message, before its chat adds to it. */
export type NewMessage = {
  kind: 'text' | 'media';
  body: string;
  file_ids: string[];
  /** Whether the request named them by `file_ids`, as an error does. */
  is_list?: boolean;
  reply_to_id: string | null;
  forwarded: boolean;
};

/** A message as it is read; times are text where it is read as JSON. */
export type MessageRow = {
  id: string;
  kind: (typeof message_kinds)[number];
  body: string;
  mentions: MentionRow[];
  author: PublicUserRow | null;
  guest: Static<typeof ChatGuest> | null;
  files: FileRow[];
  reply_to_id: string | null;
  reactions: Reaction[];
  forwarded: boolean;
  created_at: string | Date;
  edited_at: string | Date | null;
  deleted_at: string | Date | null;
};

/** Reactions `r` to messages of calls, without those of people who are suspended or whom a block separates from the viewer. */
export const callReactionsSeenBy = (viewer_id: string): Sql =>
  sql`(r.user_id is null or ${isActorVisible(viewer_id, 'r.user_id')})`;

/** Reactions `r` to messages of groups and widgets, as a viewer may see them: guests do not see each other's. */
export const reactionsSeenBy = (viewer_id: string): Sql =>
  isId('gst', viewer_id)
    ? sql`(case when r.guest_id is null then not ${isSuspended('r.user_id')} else r.guest_id = ${viewer_id} end)`
    : callReactionsSeenBy(viewer_id);

/**
 * Message `m` of a group or a widget as one JSON value, with its reactions except those of people who are suspended or whom
 * a block separates from the viewer.
 */
export const messageJson = (viewer_id: string) => sql`json_build_object(
  'id', m.id, 'kind', m.kind, 'body', m.body, 'mentions', m.mentions, 'reply_to_id', m.reply_to_id,
  'reactions', ${reactionsJson('chat', reactionsSeenBy(viewer_id))},
  'forwarded', m.forwarded, 'created_at', m.created_at, 'edited_at', m.edited_at, 'deleted_at', m.deleted_at,
  'author', (select ${publicUserJson('u')} from users u where u.id = m.author_id),
  'guest', case when m.author_id is null then (
    select ${guestJson} from guests gu where gu.id = m.guest_id) end,
  'files', ${chatFilesJson})`;

/** Messages `m` of groups and widgets as a viewer sees them; `which` may end in an order. */
export async function selectChatMessages(
  db: Queryable,
  which: Sql,
  viewer_id: string,
  from = sql`chat_messages m`,
): Promise<MessageRow[]> {
  const rows = await db.many<{ message: MessageRow }>(
    sql`select ${messageJson(viewer_id)} as message from ${from} where ${which}`,
  );
  return rows.map(({ message }) => message);
}

const momentOf = (at: string | Date | null) => at && wireTime(new Date(at));

/** A message as its readers see it. */
export function presentMessage(row: MessageRow, viewer: Viewer): Static<typeof ChatMessage> {
  const { author, guest } = row;
  const user = author && presentUser(author, viewer);
  const files = row.files.map((file) => presentFile(file, viewer));
  return {
    id: row.id,
    author: author || guest ? { user, guest } : null,
    kind: row.kind,
    body: row.body,
    mentions: row.mentions,
    file: files[0] ?? null,
    ...(files.length > 1 && { files }),
    reply_to: row.reply_to_id,
    reactions: row.reactions,
    forwarded: row.forwarded,
    created_at: wireTime(new Date(row.created_at)),
    edited_at: momentOf(row.edited_at),
    deleted_at: momentOf(row.deleted_at),
  };
}

/** What a request names as the content of a message. */
type Content = Pick<NewMessage, 'kind' | 'body' | 'file_ids' | 'is_list'>;

/**
 * The content of a message: text, or files with or without text.
 * @throws ApiError `validation_failed` when there is neither, or a file in two ways
 */
export function requireContent({ body, file_id, file_ids }: ChatContent): Content {
  if (file_id !== undefined && file_ids !== undefined) invalid({ file_ids: 'cannot be used together with file_id' });
  const ids = file_ids ?? (file_id === undefined ? [] : [file_id]);
  if (body === undefined && ids.length === 0) invalid({ body: 'is required unless a file is given' });
  return {
    kind: ids.length === 0 ? 'text' : 'media',
    body: body ?? '',
    file_ids: ids,
    is_list: file_ids !== undefined,
  };
}

type ChatContent = { body?: string; file_id?: string; file_ids?: string[] };

/**
 * Attaches files of the author's to a message. Called before the message is inserted, whose reference to an absent
 * file would fail.
 * @throws ApiError `validation_failed` that names `file_id`, or the one of `file_ids`
 */
export async function attachOwnFiles(
  change: Pick<Change, 'db' | 'now'>,
  message: FileSubject,
  { owner_id, file_ids, is_list = false }: { owner_id: string } & Pick<NewMessage, 'file_ids' | 'is_list'>,
): Promise<void> {
  await attachFiles(change, message, { owner_id, file_ids }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
    if (!is_list) invalid({ file_id: 'is not one of your files' });
    const [[name = '', problem = ''] = []] = Object.entries(error.fields ?? {});
    invalid({ [name.replace('media', 'file_ids')]: problem });
  });
}

/** The columns of the files of a message, and their values. */
export const file_columns = sql`file_id, is_album`;
/** The values of `file_columns` for the files of a message. */
export const fileValues = ([first = null, ...others]: (string | null)[]): Sql =>
  sql`${first}, ${others.length > 0}::boolean`;

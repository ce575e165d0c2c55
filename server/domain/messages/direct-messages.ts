/** Direct messages: their schema, and their rows with senders and files. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { component, idOf, moment, nullable, object, Type, type Static } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';
import { wireTimeOf } from '../../kernel/time.ts';
import { selectWithLabels, type LabelledRow } from '../accounts/account-labels.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { reactionsJson, Reactions, type Reaction } from '../chat/reactions-and-edits.ts';
import { File, filesOf, presentFile, type FileRow } from '../files/files.ts';
import type { Viewer } from '../visibility/viewer.ts';

export const DirectMessage = component(
  'DirectMessage',
  object({
    id: idOf('dm'),
    thread_id: idOf('thr'),
    sender: PublicUser,
    body: Type.String({ description: 'Empty for files without text and for deleted messages.' }),
    media: Type.Array(File, { maxItems: default_limits.message_media }),
    reply_to: nullable({ ...idOf('dm'), description: 'The message of this thread that it replies to.' }),
    reactions: Reactions,
    forwarded: Type.Boolean({ description: 'Forwarded from another chat; cannot be edited.' }),
    created_at: moment,
    edited_at: nullable(moment),
    deleted_at: nullable(moment),
  }),
);

/** The columns of a direct message. */
export type DirectMessageRow = {
  id: string;
  thread_id: string;
  sender: PublicUserRow;
  body: string;
  media: FileRow[];
  reply_to_id: string | null;
  reactions: Reaction[];
  forwarded: boolean;
  created_at: string | Date;
  edited_at: string | Date | null;
  deleted_at: string | Date | null;
};

/** A message `m` of `sender` as one JSON value. */
export const directMessageJson = sql`json_build_object(
  'id', m.id, 'thread_id', m.thread_id, 'sender', ${publicUserJson('sender')}, 'body', m.body, 'media', ${filesOf('m')},
  'reply_to_id', m.reply_to_id, 'reactions', ${reactionsJson('dm')}, 'forwarded', m.forwarded, 'created_at', m.created_at, 'edited_at', m.edited_at,
  'deleted_at', m.deleted_at)`;

/** The columns of a message `m`, except its thread and its sender's labels. */
const messageColumns = sql`
  m.id, m.sender_id, m.body, case when m.media_count > 0 then ${filesOf('m')} end as media, m.reply_to_id,
  case when m.has_reactions then ${reactionsJson('dm')} end as reactions, m.forwarded,
  m.created_at::text, m.edited_at::text, m.deleted_at::text`;

type MessageColumns = Omit<DirectMessageRow, 'thread_id' | 'sender' | 'media' | 'reactions'> & {
  sender_id: string;
  media: FileRow[] | null;
  reactions: Reaction[] | null;
};

/** Field by field, since object rest is slower. */
const toMessageRow = (row: MessageColumns, thread_id: string, sender: PublicUserRow): DirectMessageRow => ({
  id: row.id,
  thread_id,
  sender,
  body: row.body,
  media: row.media ?? [],
  reply_to_id: row.reply_to_id,
  reactions: row.reactions ?? [],
  forwarded: row.forwarded,
  created_at: row.created_at,
  edited_at: row.edited_at,
  deleted_at: row.deleted_at,
});

/** Messages `m` with their senders and files. */
export async function selectDirectMessages(db: Queryable, which: Sql): Promise<DirectMessageRow[]> {
  const rows = await db.many<MessageColumns & { thread_id: string; sender: PublicUserRow }>(sql`
    select ${messageColumns}, m.thread_id, ${publicUserJson('sender')} as sender
    from dm_messages m join users sender on sender.id = m.sender_id where ${which}`);
  return rows.map((row) => toMessageRow(row, row.thread_id, row.sender));
}

/** A page of the messages `m` of a thread, with their senders and files. The condition may end in an order. */
export async function selectMessagesOfThread(
  db: Queryable,
  thread_id: string,
  which: Sql,
  services: Services,
): Promise<DirectMessageRow[]> {
  const { rows, labels } = await selectWithLabels(
    db,
    services,
    (column) =>
      db.many<MessageColumns & LabelledRow>(sql`
        select ${messageColumns}, ${column} from dm_messages m where m.thread_id = ${thread_id} and ${which}`),
    ({ sender_id }) => sender_id,
  );
  return rows.flatMap((row) => {
    const sender = labels.get(row.sender_id);
    return sender ? [toMessageRow(row, thread_id, sender)] : [];
  });
}

/** A message as a member of its thread sees it. */
export function presentDirectMessage(row: DirectMessageRow, viewer: Viewer): Static<typeof DirectMessage> {
  return {
    id: row.id,
    thread_id: row.thread_id,
    sender: presentUser(row.sender, viewer),
    body: row.body,
    media: row.media.map((file) => presentFile(file, viewer)),
    reply_to: row.reply_to_id,
    reactions: row.reactions,
    forwarded: row.forwarded,
    created_at: wireTimeOf(row.created_at),
    edited_at: row.edited_at && wireTimeOf(row.edited_at),
    deleted_at: row.deleted_at && wireTimeOf(row.deleted_at),
  };
}

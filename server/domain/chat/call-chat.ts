/** The chat of a call: who reads it, who writes in it, and who hears that. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail } from '../../kernel/errors.ts';
import type { Static } from '../../kernel/schema.ts';
import type { Change, Services } from '../../kernel/services.ts';
import { publicUserJson, requireAccount } from '../accounts/accounts.ts';
import { isIn } from '../calls/transition.ts';
import { partOf, requireCall, type CallRow, type ParticipantRow } from '../calls/calls.ts';
import { fileJson, useFiles, type FileRow } from '../files/files.ts';
import { chatMessage, presentMessage, type ChatMessage, type MessageRow } from './messages.ts';

/** Messages `m` of calls, with their authors and files. */
export function selectCallMessages(db: Queryable, which: Sql): Promise<MessageRow[]> {
  return db.many<MessageRow>(sql`
    select m.id, m.kind, m.body, m.created_at, null as reply_to_id, null as edited_at, null as deleted_at,
      case when m.guest_id is null then null else json_build_object('id', m.guest_id, 'name', m.guest_name) end as guest,
      case when u.id is null then null else ${publicUserJson('u')} end as author,
      case when fi.id is null then null else ${fileJson} end as file
    from call_messages m left join users u on u.id = m.author_id left join files fi on fi.id = m.file_id where ${which}`);
}

/** A call and the part in it of an account or a guest, for those who are or were in it; to others its chat does not exist. */
export async function requirePart(
  db: Queryable,
  join_code: string,
  user_id: string,
): Promise<{ call: CallRow; part: ParticipantRow }> {
  const call = await requireCall(db, join_code, user_id);
  const part = partOf(call, user_id);
  return part && wasIn(part) ? { call, part } : fail('not_found');
}

/** The same for those who are in it now. @throws ApiError `not_in_call` */
export async function requirePresence(
  db: Queryable,
  join_code: string,
  user_id: string,
): Promise<{ call: CallRow; part: ParticipantRow }> {
  const found = await requirePart(db, join_code, user_id);
  if (!isIn(found.part)) fail('not_in_call', { message: 'Only participants can write in this chat.' });
  return found;
}

const wasIn = (part: ParticipantRow) => part.role === 'host' || part.joined_at !== null || isIn(part);

/** Those who hear what is written now. */
export function hearers(call: CallRow): `user:${string}`[] {
  return call.participants.flatMap((one) => {
    const listener = one.user_id ?? one.guest_id;
    return listener && isIn(one) ? [`user:${listener}` as const] : [];
  });
}

/** Writes a message into a call's chat, and tells those who are in it. */
export async function postCallMessage(
  change: Change,
  services: Services,
  call: CallRow,
  { user_id, guest_id, name }: ParticipantRow,
  { kind, body, file }: { kind: 'text' | 'media'; body: string; file?: FileRow },
): Promise<Static<typeof ChatMessage>> {
  const { db, id, now, emit } = change;
  const author = user_id === null ? null : await requireAccount(db, user_id);
  const guest = guest_id === null ? null : { id: guest_id, name };
  const row = {
    id: id('chat'),
    kind,
    body,
    created_at: now,
    author,
    guest,
    file: file ?? null,
    reply_to_id: null,
    edited_at: null,
    deleted_at: null,
  };
  await db.run(sql`
    insert into call_messages (id, call_id, author_id, guest_id, guest_name, kind, body, file_id, created_at)
    values (${row.id}, ${call.id}, ${user_id}, ${guest_id}, ${guest?.name ?? null}, ${kind}, ${body}, ${file?.id ?? null}, ${now})`);
  if (file && author) await useFiles(db, author.id, { type: 'call_message', id: row.id }, [file.id], now);
  const shown = (viewer_id: string) => presentMessage(row, { id: viewer_id, now, services });
  emit(chatMessage, hearers(call), { conference_id: call.id, join_code: call.join_code, message: shown('') });
  return shown(user_id ?? guest_id ?? '');
}

/** The chat of a call: who reads it, who writes in it, and who hears that. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail, found, invalid } from '../../kernel/errors.ts';
import type { Static } from '../../kernel/schema.ts';
import type { Change, Services } from '../../kernel/services.ts';
import { publicUserJson } from '../accounts/accounts.ts';
import { isIn } from '../calls/transition.ts';
import { partOf, requireCall, type CallRow, type ParticipantRow } from '../calls/calls.ts';
import { fileJson } from '../files/files.ts';
import { mayHearCallMessage, mayReadCallMessage } from '../visibility/calls.ts';
import { lockMessage, type LockedMessage } from './message-actions.ts';
import { reactionsJson } from './reactions-and-edits.ts';
import {
  callReactionsSeenBy,
  chatMessage,
  presentMessage,
  useFileOf,
  type ChatMessage,
  type MessageRow,
} from './messages.ts';

/** Messages `m` of calls as a viewer sees them, with their authors and files. */
export function selectCallMessages(db: Queryable, which: Sql, viewer_id: string): Promise<MessageRow[]> {
  return db.many<MessageRow>(sql`
    select m.id, m.kind, m.body, m.created_at, m.reply_to_id, m.edited_at, m.deleted_at,
      ${reactionsJson('call', callReactionsSeenBy(viewer_id))} as reactions,
      case when m.guest_id is null then null else json_build_object('id', m.guest_id, 'name', m.guest_name) end as guest,
      case when u.id is null then null else ${publicUserJson('u')} end as author,
      case when fi.id is null then null else ${fileJson} end as file
    from (select m.* from call_messages m where ${which}) m
      left join users u on u.id = m.author_id left join files fi on fi.id = m.file_id order by m.id desc`);
}

/** A message of a call that somebody may read, words or none. */
export async function selectCallMessage(
  db: Queryable,
  call: Pick<CallRow, 'id'>,
  viewer_id: string,
  message_id: string,
): Promise<MessageRow | undefined> {
  const which = sql`m.call_id = ${call.id} and m.id = ${message_id} and ${mayReadCallMessage(viewer_id)}`;
  const [row] = await selectCallMessages(db, which, viewer_id);
  return row;
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
  const presence = await requirePart(db, join_code, user_id);
  if (!isIn(presence.part)) fail('not_in_call', { message: 'Only participants can write in this chat.' });
  return presence;
}

const wasIn = (part: ParticipantRow) => part.role === 'host' || part.joined_at !== null || isIn(part);

/** Those who hear what is written now. */
export function hearers(call: CallRow): `user:${string}`[] {
  return call.participants.flatMap((one) => {
    const listener = one.user_id ?? one.guest_id;
    return listener && isIn(one) ? [`user:${listener}` as const] : [];
  });
}

/** What is written into the chat of a call. */
type NewCallMessage = { kind: 'text' | 'media'; body: string; file_id: string | null; reply_to_id: string | null };

/** Writes a message into a call's chat, and tells those who are in it. */
export async function postCallMessage(
  change: Change,
  services: Services,
  call: CallRow,
  { user_id, guest_id, name }: ParticipantRow,
  { kind, body, file_id, reply_to_id }: NewCallMessage,
): Promise<Static<typeof ChatMessage>> {
  const { db, now, emit } = change;
  const writer_id = user_id ?? guest_id ?? '';
  const id = change.id('chat');
  await db.run(sql`
    insert into call_messages (id, call_id, author_id, guest_id, guest_name, kind, body, file_id, reply_to_id, created_at)
    values (${id}, ${call.id}, ${user_id}, ${guest_id}, ${guest_id === null ? null : name}, ${kind}, ${body}, ${file_id},
      ${reply_to_id}, ${now})`);
  await useFileOf(db, writer_id, id, file_id, now, 'call_message');
  const [row] = await selectCallMessages(db, sql`m.id = ${id}`, writer_id);
  const written = found(row);
  const shown = (viewer_id: string) => presentMessage(written, { id: viewer_id, now, services });
  emit(chatMessage, hearers(call), { conference_id: call.id, join_code: call.join_code, message: shown('') });
  return shown(writer_id);
}

/** @throws ApiError `validation_failed` that names `reply_to` unless it is a message of the call that the writer may read */
export async function requireRepliedInCall(
  db: Queryable,
  call: CallRow,
  viewer_id: string,
  reply_to: string | undefined,
): Promise<string | null> {
  if (reply_to === undefined) return null;
  const row = await selectCallMessage(db, call, viewer_id, reply_to);
  return row && !row.deleted_at ? reply_to : invalid({ reply_to: 'is not a message in this chat' });
}

/** Those who are in a call and may read a message of its chat: somebody who came later may not. */
async function selectCallHearers(db: Queryable, message_id: string): Promise<`user:${string}`[]> {
  const rows = await db.many<{ id: string }>(sql`
    select coalesce(p.user_id, p.guest_id) as id from call_messages m join call_participants p on p.call_id = m.call_id
    where m.id = ${message_id} and p.state in ('joining', 'joined') and num_nonnulls(p.user_id, p.guest_id) = 1
      and ${mayHearCallMessage}`);
  return rows.map(({ id }) => `user:${id}` as const);
}

/**
 * A message that stands in the chat of a call, for somebody in it who acts on it: nobody else acts on it meanwhile.
 * @throws ApiError `not_found`, `not_in_call`
 */
export async function lockCallMessage(
  db: Queryable,
  { join_code, message_id }: { join_code: string; message_id: string },
  viewer_id: string,
): Promise<LockedMessage & { call: CallRow }> {
  const { call } = await requirePresence(db, join_code, viewer_id);
  await lockMessage(db, 'call', message_id);
  const row = found(await selectCallMessage(db, call, viewer_id, message_id));
  if (row.deleted_at) fail('not_found');
  return {
    family: 'call',
    place: { conference_id: call.id, join_code: call.join_code },
    row,
    call,
    selectHearers: () => selectCallHearers(db, message_id),
    reread: async () => found(await selectCallMessage(db, call, viewer_id, message_id)),
  };
}

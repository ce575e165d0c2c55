/** The chat of a call: who may read and write it, and who receives its events. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail, found, invalid } from '../../kernel/errors.ts';
import { firstIdAt } from '../../kernel/id.ts';
import type { Span } from '../../kernel/page.ts';
import type { Change } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { publicUserJson } from '../accounts/accounts.ts';
import { isIn } from '../calls/state/transition.ts';
import { participantOf, requireCall, selectCall, type CallRow, type ParticipantRow } from '../calls/state/calls.ts';
import { chatFilesJson, shareFiles } from '../files/files.ts';
import {
  callChatTimes,
  isCallAuthorShown,
  mayOpenCall,
  mayOpenTranscript,
  mayReadCallMessage,
  mayReadTranscriptMessage,
  mayReceiveCallMessage,
} from '../visibility/calls.ts';
import { areNotBlocked } from '../visibility/people.ts';
import { everyone } from '../visibility/viewer.ts';
import { readChatPage, type PagedChat } from './chat-pages.ts';
import { lockMessage, type LockedMessage } from './message-actions.ts';
import { reactionsJson } from './reactions-and-edits.ts';
import {
  callReactionsSeenBy,
  chatMessage,
  presentMessage,
  attachOwnFiles,
  file_columns,
  fileValues,
  type MessageRow,
  type NewMessage,
} from './messages.ts';

/**
 * Message `m` of a call as one JSON value, with its reactions except those of people whom a block separates from the
 * viewer.
 */
export const callMessageJson = (viewer_id: string): Sql => sql`json_build_object(
  'id', m.id, 'kind', m.kind, 'body', m.body, 'mentions', '[]'::json, 'reply_to_id', m.reply_to_id,
  'reactions', ${reactionsJson('call', callReactionsSeenBy(viewer_id))},
  'forwarded', m.forwarded, 'created_at', m.created_at, 'edited_at', m.edited_at, 'deleted_at', m.deleted_at,
  'author', (select ${publicUserJson('u')} from users u where u.id = m.author_id),
  'guest', case when m.guest_id is not null then json_strip_nulls(json_build_object('id', m.guest_id, 'name', m.guest_name,
    'name_is_default', (select nullif(gu.name_is_default, false) from guests gu where gu.id = m.guest_id))) end,
  'files', ${chatFilesJson})`;

/** Messages `m` of calls as a viewer sees them; `which` may end in an order. */
export async function selectCallMessages(
  db: Queryable,
  which: Sql,
  viewer_id: string,
  from = sql`call_messages m`,
): Promise<MessageRow[]> {
  const rows = await db.many<{ message: MessageRow }>(
    sql`select ${callMessageJson(viewer_id)} as message from ${from} where ${which}`,
  );
  return rows.map(({ message }) => message);
}

/** How much later than its time an identifier may have been made, if the clock was set back in between. */
const clock_steps_s = 600;

/**
 * Reads parts of the chat of a call, or of its transcript, as a viewer may read it.
 * @returns reads a part
 */
export async function openCallChat(
  db: Queryable,
  call_id: string,
  viewer_id: string,
  is_transcript: boolean,
): Promise<(which: Sql, span: Span) => Promise<MessageRow[]>> {
  const times = await db.maybe<{ since: Date | null; until: Date | null }>(callChatTimes(call_id, viewer_id));
  const chat: PagedChat = {
    table: 'call_messages',
    of: sql`m.call_id = ${call_id}`,
    since_id: times?.since ? firstIdAt('chat', times.since) : undefined,
    until_id: times?.until ? firstIdAt('chat', after(times.until, clock_steps_s)) : undefined,
    may_read: is_transcript ? mayReadTranscriptMessage(viewer_id) : mayReadCallMessage(viewer_id),
    is_shown: isCallAuthorShown(call_id, viewer_id, is_transcript),
  };
  return (_which, span) => readChatPage(chat, span, (from, which) => selectCallMessages(db, which, viewer_id, from));
}

/** A message of a call that a viewer may read, deleted or not. */
async function selectCallMessage(
  db: Queryable,
  call: Pick<CallRow, 'id'>,
  viewer_id: string,
  message_id: string,
): Promise<MessageRow | undefined> {
  const which = sql`m.call_id = ${call.id} and m.id = ${message_id} and ${mayReadCallMessage(viewer_id)}`;
  const [row] = await selectCallMessages(db, which, viewer_id);
  return row;
}

/**
 * A call and the participant of an account or a guest, for those who are or were in it; to others its chat does not
 * exist.
 */
export async function requireParticipation(
  db: Queryable,
  join_code: string,
  user_id: string,
): Promise<{ call: CallRow; participant: ParticipantRow }> {
  const call = await requireCall(db, join_code, user_id);
  const participant = participantOf(call, user_id);
  return participant && wasIn(participant) ? { call, participant } : fail('not_found');
}

/** A call and the participant of an account or a guest who is in it now. @throws ApiError `not_in_call`, `not_found` */
export async function requireInCall(
  db: Queryable,
  join_code: string,
  user_id: string,
): Promise<{ call: CallRow; participant: ParticipantRow }> {
  const presence = await requireParticipation(db, join_code, user_id);
  if (!isIn(presence.participant)) fail('not_in_call', { message: 'Only participants can write in this chat.' });
  return presence;
}

const wasIn = (participant: ParticipantRow) =>
  participant.role === 'host' || participant.joined_at !== null || isIn(participant);

/** The topics of those who receive new messages. */
export const recipients = (call: CallRow): `user:${string}`[] => presentIds(call).map((id) => `user:${id}` as const);

/** The accounts and guests who are in a call. */
export function presentIds(call: CallRow): string[] {
  return call.participants.flatMap((one) => (isIn(one) ? (one.user_id ?? one.guest_id ?? []) : []));
}

/** Inserts a message into a call's chat, and notifies those who are in it. @returns the message */
export async function postCallMessage(
  change: Change,
  call: CallRow,
  { user_id, guest_id, name }: ParticipantRow,
  { kind, body, file_ids, is_list, reply_to_id, forwarded }: NewMessage,
): Promise<MessageRow> {
  const { db, now, emit } = change;
  const writer_id = user_id ?? guest_id ?? '';
  const id = change.id('chat');
  const files_of = { type: 'call_message' as const, id };
  if (!forwarded) await attachOwnFiles(change, files_of, { owner_id: writer_id, file_ids, is_list });
  await db.run(sql`
    insert into call_messages (id, call_id, author_id, guest_id, guest_name, kind, body, ${file_columns}, reply_to_id, forwarded, created_at)
    values (${id}, ${call.id}, ${user_id}, ${guest_id}, ${guest_id === null ? null : name}, ${kind}, ${body}, ${fileValues(file_ids)},
      ${reply_to_id}, ${forwarded}, ${now})`);
  if (forwarded) await shareFiles(change, files_of, file_ids);
  const [row] = await selectCallMessages(db, sql`m.id = ${id}`, writer_id);
  const written = found(row);
  const message = presentMessage(written, everyone(change));
  emit(chatMessage, recipients(call), { conference_id: call.id, join_code: call.join_code, message });
  return written;
}

/** @throws ApiError `validation_failed` that names `reply_to` unless it is a message of the call that the writer may read */
export async function requireReplyTargetInCall(
  db: Queryable,
  call: CallRow,
  viewer_id: string,
  reply_to: string | undefined,
): Promise<string | null> {
  if (reply_to === undefined) return null;
  const row = await selectCallMessage(db, call, viewer_id, reply_to);
  return row && !row.deleted_at ? reply_to : invalid({ reply_to: 'is not a message in this chat' });
}

/**
 * Who receives an event about a message of a call: the people who may read it now, in the call (late joiners may not)
 * or in its transcript, and the guests in the call; without those whom a block separates from the actor.
 */
async function selectCallRecipients(db: Queryable, message_id: string, actor_id: string): Promise<`user:${string}`[]> {
  const rows = await db.many<{ id: string }>(sql`
    select coalesce(p.user_id, p.guest_id) as id from call_messages m join call_participants p on p.call_id = m.call_id
    where m.id = ${message_id} and (p.user_id is not null or p.state in ('joining', 'joined'))
      and num_nonnulls(p.user_id, p.guest_id) = 1 and ${mayReceiveCallMessage} and ${areNotBlocked(actor_id, 'p.user_id')}`);
  return rows.map(({ id }) => `user:${id}` as const);
}

/** A message of a call in any state, with the call and the viewer's participant. */
export type ReadCallMessage = { call: CallRow; participant: ParticipantRow; row: MessageRow };

/**
 * A message in the chat of a call that the viewer is in, or in the transcript of a past call, deleted or not. Calls of
 * an event or a room share a code: this is the one that contains the message.
 * @throws ApiError `not_found`
 */
export async function requireCallMessage(
  db: Queryable,
  { join_code, message_id }: { join_code: string; message_id: string },
  viewer_id: string,
): Promise<ReadCallMessage> {
  const call = found(
    await selectCall(
      db,
      sql`c.join_code = ${join_code} and c.id = (select m.call_id from call_messages m where m.id = ${message_id})
        and (${mayOpenCall(viewer_id)} or exists (
          select 1 from call_participants p
          where p.call_id = c.id and p.user_id = ${viewer_id} and ${mayOpenTranscript(viewer_id)}))`,
    ),
  );
  const participant = participantOf(call, viewer_id);
  if (!participant || !wasIn(participant)) return fail('not_found');
  return { call, participant, row: found(await selectCallMessage(db, call, viewer_id, message_id)) };
}

/**
 * Locks a message in the chat of a call, for an action of a person who may read it, also after the call has ended or
 * they have left it.
 * @throws ApiError `not_found`, and `forbidden` for a person who was removed
 */
export async function lockCallMessage(
  db: Queryable,
  path: { join_code: string; message_id: string },
  viewer_id: string,
): Promise<LockedMessage & { call: CallRow }> {
  const { message_id } = path;
  await lockMessage(db, 'call', message_id);
  const { call, participant, row } = await requireCallMessage(db, path, viewer_id);
  if (row.deleted_at) fail('not_found');
  if (participant.removed_at !== null && !isIn(participant)) fail('forbidden');
  return {
    family: 'call',
    place: { conference_id: call.id, join_code: call.join_code },
    row,
    call,
    selectRecipients: () => selectCallRecipients(db, message_id, viewer_id),
    reread: async () => (await requireCallMessage(db, path, viewer_id)).row,
  };
}

import { JoinCode, partOf, requireCall, type CallRow, type ParticipantRow } from '../../domain/conferences.ts';
import { presentUser, PublicUser } from '../../domain/accounts.ts';
import type { Queryable } from '../../kernel/database.ts';
import { fail } from '../../kernel/errors.ts';
import { event } from '../../kernel/event.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import type { CallMessageRow } from './queries.ts';

/** The message shape that call, group and widget chats share. */
export const ChatMessage = component(
  'ChatMessage',
  object({
    id: idOf('chat'),
    author: object({ user: nullable(PublicUser), guest: nullable(object({ name: Type.String() })) }),
    kind: oneOf('text', 'media', 'system'),
    body: Type.String(),
    file: Type.Null(),
    created_at: moment,
  }),
);

export const chatMessage = event(
  'chat.message',
  'Somebody wrote in a chat.',
  object({ conference_id: idOf('conf'), join_code: JoinCode, message: ChatMessage }),
);
export const chatTyping = event(
  'chat.typing',
  'Somebody is writing in a chat.',
  object({ conference_id: idOf('conf'), join_code: JoinCode, user: PublicUser }),
);

/** A message of a call's chat as those in it see it. */
export function presentMessage(row: CallMessageRow, public_url: string): Static<typeof ChatMessage> {
  return {
    id: row.id,
    author: { user: row.author && presentUser(row.author, public_url), guest: null },
    kind: row.kind,
    body: row.body,
    file: null,
    created_at: wireTime(row.created_at),
  };
}

/** A call and the caller's part in it, for those who are or were in it; to others its chat does not exist. */
export async function requirePart(
  db: Queryable,
  join_code: string,
  user_id: string,
): Promise<{ call: CallRow; part: ParticipantRow }> {
  const call = await requireCall(db, join_code, user_id);
  const part = partOf(call, user_id);
  const was_in =
    part && (part.role === 'host' || part.joined_at !== null || part.state === 'joining' || part.state === 'joined');
  return was_in ? { call, part } : fail('not_found');
}

/** Those who hear what is written now. */
export function hearers(call: CallRow): `user:${string}`[] {
  return call.participants.flatMap((one) =>
    one.user_id && (one.state === 'joined' || one.state === 'joining') ? [`user:${one.user_id}` as const] : [],
  );
}

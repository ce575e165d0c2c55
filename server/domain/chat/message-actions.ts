/**
 * What people do to a message that stands in a chat: react, edit, delete. A chat of any kind says which message that is and
 * who hears of it (`LockedMessage`); the rest is the same in all of them.
 */
import { raw, sql, type Queryable } from '../../kernel/database/database.ts';
import type { Topic } from '../../kernel/event.ts';
import { fail } from '../../kernel/errors.ts';
import { isId } from '../../kernel/id.ts';
import { idOf, type Static } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { releaseFiles } from '../files/files.ts';
import type { Viewer } from '../visibility/viewer.ts';
import { dropActs, requireEditable, rewrite, setReaction, type Family } from './reactions-and-edits.ts';
import {
  chatDeleted,
  chatEdited,
  chatReaction,
  presentMessage,
  type ChatMessage,
  type MessageRow,
  type PlaceOfChat,
} from './messages.ts';

/** The identifier of a message in a path. */
export const message_path = { message_id: idOf('chat') };

/** A message that stands in a chat, locked so that nobody else acts on it until the transaction ends. */
export type LockedMessage = {
  family: Exclude<Family, 'dm'>;
  place: PlaceOfChat;
  row: MessageRow;
  /** Those who may read it, and hear of what the one who acts does to it. */
  selectHearers(): Promise<Topic[]>;
  /** The message as it is after an act. */
  reread(): Promise<MessageRow>;
};

/** Locks the row of a message until the transaction ends. */
export async function lockMessage(db: Queryable, family: LockedMessage['family'], message_id: string): Promise<void> {
  await db.run(sql`select 1 from ${raw(`${family}_messages`)} where id = ${message_id} for update`);
}

/** Who wrote a message: an account or a guest. */
export const writerOf = ({ author, guest }: MessageRow): string | undefined => author?.id ?? guest?.id;

/** Sets the viewer's reaction to a message, or takes it back, and tells those who read it. @param emoji known to be one */
export async function reactToMessage(
  change: Pick<Change, 'db' | 'now' | 'emit'>,
  { family, place, row, selectHearers, reread }: LockedMessage,
  viewer: Viewer,
  emoji: string | null,
): Promise<Static<typeof ChatMessage>> {
  const is_changed = await setReaction(change, family, { message_id: row.id, reactor_id: viewer.id, emoji });
  if (!is_changed) return presentMessage(row, viewer);
  const [hearers, after] = await Promise.all([selectHearers(), reread()]);
  const who = isId('gst', viewer.id) ? { by_guest_id: viewer.id } : { user_id: viewer.id };
  change.emit(chatReaction, hearers, { ...place, message_id: row.id, ...who, emoji });
  return presentMessage(after, viewer);
}

/**
 * Gives a message of the viewer's other words, keeps what it said, and tells those who read it.
 * @throws ApiError `forbidden` for what another wrote, `edit_closed` for what was sent on or stands too long
 */
export async function editMessage(
  change: Pick<Change, 'db' | 'now' | 'emit'>,
  { family, place, row, selectHearers }: LockedMessage,
  viewer: Viewer,
  body: string,
): Promise<Static<typeof ChatMessage>> {
  const { now } = change;
  if (writerOf(row) !== viewer.id) fail('forbidden');
  if (row.forwarded) fail('edit_closed', { message: 'A forwarded message cannot be edited.' });
  requireEditable(row.created_at, now);
  if (row.body === body) return presentMessage(row, viewer);
  const [, hearers] = await Promise.all([rewrite(change, family, row, body), selectHearers()]);
  change.emit(chatEdited, hearers, { ...place, message_id: row.id, body, edited_at: wireTime(now) });
  return presentMessage({ ...row, body, edited_at: now }, viewer);
}

/**
 * Takes the words, the file and all that was done to it out of a message, and tells those who read it.
 * @param erase takes out the words; without it they are taken out alone
 */
export async function deleteMessage(
  change: Pick<Change, 'db' | 'now' | 'emit'>,
  { family, place, row, selectHearers }: LockedMessage,
  viewer: Viewer,
  erase?: () => Promise<void>,
): Promise<void> {
  const { db, now } = change;
  const blank = () =>
    db.run(sql`
      update ${raw(`${family}_messages`)} set body = '', file_id = null, deleted_at = ${now} where id = ${row.id}`);
  const [, , , hearers] = await Promise.all([
    (erase ?? blank)(),
    dropActs(db, family, row.id),
    releaseFiles(db, [row.id], now),
    selectHearers(),
  ]);
  const shown = presentMessage(row, { ...viewer, id: '' });
  const message = { ...shown, body: '', file: null, reactions: [], deleted_at: wireTime(now) };
  change.emit(chatDeleted, hearers, { ...place, message });
}

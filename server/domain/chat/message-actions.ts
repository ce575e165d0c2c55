/**
 * Actions on messages: react, edit, delete. Each kind of chat provides the message and its audience (`LockedMessage`);
 * the rest is the same for all of them.
 */
import { raw, sql, type Queryable } from '../../kernel/database/database.ts';
import type { Topic } from '../../kernel/event.ts';
import { fail } from '../../kernel/errors.ts';
import { isId } from '../../kernel/id.ts';
import { idOf, type Static } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { detachFiles } from '../files/files.ts';
import type { MentionRow } from '../social/mentions.ts';
import { everyone, type Viewer } from '../visibility/viewer.ts';
import {
  deleteReactionsAndEdits,
  requireEditable,
  editText,
  setReaction,
  type MessageFamily,
} from './reactions-and-edits.ts';
import {
  chatDeleted,
  chatEdited,
  chatReaction,
  presentMessage,
  type ChatMessage,
  type MessageRow,
  type ChatReference,
} from './messages.ts';

/** The message identifier in a path. */
export const message_path = { message_id: idOf('chat') };

/** A message that is locked until the end of the transaction. */
export type LockedMessage = {
  family: Exclude<MessageFamily, 'dm'>;
  place: ChatReference;
  row: MessageRow;
  /** Those who may read it, and receive the events of the action. */
  selectRecipients(): Promise<Topic[]>;
  /** The message after the action. */
  reread(): Promise<MessageRow>;
};

/** Locks the row of a message until the end of the transaction. */
export async function lockMessage(db: Queryable, family: LockedMessage['family'], message_id: string): Promise<void> {
  await db.run(sql`select 1 from ${raw(`${family}_messages`)} where id = ${message_id} for update`);
}

/** The author of a message: an account or a guest. */
export const writerOf = ({ author, guest }: MessageRow): string | undefined => author?.id ?? guest?.id;

/** Sets or removes the viewer's reaction to a message, and notifies its readers. @param emoji already validated */
export async function reactToMessage(
  change: Pick<Change, 'db' | 'now' | 'emit'>,
  { family, place, row, selectRecipients, reread }: LockedMessage,
  viewer: Viewer,
  emoji: string | null,
): Promise<Static<typeof ChatMessage>> {
  const is_changed = await setReaction(change, family, { message_id: row.id, user_or_guest_id: viewer.id, emoji });
  if (!is_changed) return presentMessage(row, viewer);
  const [recipients, after] = await Promise.all([selectRecipients(), reread()]);
  const who = isId('gst', viewer.id) ? { by_guest_id: viewer.id } : { user_id: viewer.id };
  change.emit(chatReaction, recipients, { ...place, message_id: row.id, ...who, emoji });
  return presentMessage(after, viewer);
}

/**
 * Changes the text of a message of the viewer, stores the earlier version, and notifies its readers.
 * @param mention stores whom the new text mentions; by default nobody
 * @throws ApiError `forbidden` for others' messages, `edit_closed` for forwarded or old ones
 */
export async function editMessage(
  change: Pick<Change, 'db' | 'now' | 'emit'>,
  { family, place, row, selectRecipients }: LockedMessage,
  viewer: Viewer,
  body: string,
  mention?: () => Promise<MentionRow[]>,
): Promise<Static<typeof ChatMessage>> {
  const { now } = change;
  if (writerOf(row) !== viewer.id) fail('forbidden');
  if (row.forwarded) fail('edit_closed', { message: 'A forwarded message cannot be edited.' });
  requireEditable(row.created_at, now);
  if (row.body === body) return presentMessage(row, viewer);
  const [, recipients, mentions = []] = await Promise.all([
    editText(change, family, row, body),
    selectRecipients(),
    mention?.(),
  ]);
  change.emit(chatEdited, recipients, { ...place, message_id: row.id, body, mentions, edited_at: wireTime(now) });
  return presentMessage({ ...row, body, mentions, edited_at: now }, viewer);
}

/**
 * Erases the text, file, reactions and edits of a message, and notifies its readers.
 * @param erase erases the text; by default only the message's own row is changed
 */
export async function deleteMessage(
  change: Pick<Change, 'db' | 'now' | 'emit'>,
  { family, place, row, selectRecipients }: LockedMessage,
  viewer: Viewer,
  erase?: () => Promise<void>,
): Promise<void> {
  const { db, now } = change;
  const blank = () =>
    db.run(sql`
      update ${raw(`${family}_messages`)} set body = '', file_id = null, is_album = false, deleted_at = ${now} where id = ${row.id}`);
  const [, , , recipients] = await Promise.all([
    (erase ?? blank)(),
    deleteReactionsAndEdits(db, family, row.id),
    detachFiles(db, [row.id], now),
    selectRecipients(),
  ]);
  const shown = presentMessage({ ...row, files: [] }, everyone(viewer));
  const message = { ...shown, body: '', mentions: [], reactions: [], deleted_at: wireTime(now) };
  change.emit(chatDeleted, recipients, { ...place, message });
}

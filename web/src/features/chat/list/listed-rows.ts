import type { ShownMessage } from '../chat-message.ts';
import type { Unsent } from '../unsent.ts';
import type { PlacedMessage } from '../arrange-messages.ts';
import { continuesRun, placeUnsent } from '../unsent-runs.ts';
import type { RunPosition } from '../unsent-runs.ts';

/** A row of a chat: a message, or one being sent. Its key is stable while other rows come and go. */
export type ListedRow =
  | { readonly key: string; readonly placed: PlacedMessage; readonly starts_unread?: boolean }
  | ({ readonly key: string; readonly unsent: Unsent } & RunPosition);

/**
 * The id of the oldest unread message; undefined when there is none, or not all of them are loaded.
 * @param messages newest first
 */
export function findUnread(messages: readonly ShownMessage[], count: number): string | undefined {
  return messages.filter(canBeUnread)[count - 1]?.id;
}

const canBeUnread = ({ mine, by, call }: ShownMessage) => !mine && by !== undefined && call === undefined;

/**
 * The id of the oldest message after one that was read.
 * @param messages newest first
 */
export const findUnreadAfter = (messages: readonly ShownMessage[], after: string): string | undefined =>
  messages.findLast((one) => one.id > after && canBeUnread(one))?.id;

/** All rows of a chat, oldest first; those being sent are last. */
export function listRows(
  placed: readonly PlacedMessage[],
  unsent: readonly Unsent[],
  unread_id: string | undefined,
): ListedRow[] {
  const rows: ListedRow[] = placed.map((one) => ({
    key: one.message.id,
    placed: one,
    ...(one.message.id === unread_id ? { starts_unread: true } : {}),
  }));
  const newest = placed.at(-1);
  const is_run = continuesRun(newest?.message, unsent[0]);
  if (newest !== undefined && is_run)
    rows[rows.length - 1] = { ...rows.at(-1), key: newest.message.id, placed: { ...newest, is_last: false } };
  for (const [at, one] of unsent.entries())
    rows.push({ key: one.key, unsent: one, ...placeUnsent(unsent, at, is_run) });
  return rows;
}

/** Characters per line of a bubble on a phone. */
const LETTERS = 32;
const LINE_PX = 22;
const BUBBLE_PX = 38;
const DAY_PX = 48;
const FILE_PX = 190;
const REACTIONS_PX = 28;
const UNREAD_PX = 40;

const linesOf = (body: string): number =>
  body.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LETTERS)), 0);

/** The estimated height of a row in pixels, until it has been rendered. */
export function estimateHeight(row: ListedRow | undefined): number {
  if (row === undefined) return BUBBLE_PX;
  if ('unsent' in row) {
    const { body, media, files = [] } = row.unsent;
    return BUBBLE_PX + (linesOf(body) - 1) * LINE_PX + (media.length + files.length > 0 ? FILE_PX : 0);
  }
  const { message, day, is_first } = row.placed;
  return (
    BUBBLE_PX +
    (linesOf(message.body) - 1) * LINE_PX +
    (message.files.length > 0 ? FILE_PX : 0) +
    (message.reactions.length > 0 ? REACTIONS_PX : 0) +
    (day === undefined ? 0 : DAY_PX) +
    (row.starts_unread ? UNREAD_PX : 0) +
    (is_first ? 8 : 0)
  );
}

import type { Unsent } from '../outbox.ts';
import type { PlacedMessage } from './arrange-messages.ts';

/** A row of a chat: a message in its place, or one that is on its way. Its key is what names it while rows come and go. */
export type ListedRow =
  | { readonly key: string; readonly placed: PlacedMessage }
  | { readonly key: string; readonly unsent: Unsent };

/** Everything that a chat shows, oldest first: what is on its way stands at the end. */
export function listRows(placed: readonly PlacedMessage[], unsent: readonly Unsent[]): ListedRow[] {
  const rows: ListedRow[] = placed.map((one) => ({ key: one.message.id, placed: one }));
  for (const one of unsent) rows.push({ key: one.key, unsent: one });
  return rows;
}

/** As many letters stand in a line of a bubble on a phone. */
const LETTERS = 32;
const LINE_PX = 22;
const BUBBLE_PX = 38;
const DAY_PX = 48;
const FILE_PX = 190;
const REACTIONS_PX = 28;

const linesOf = (body: string): number =>
  body.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LETTERS)), 0);

/** About how high a row will be, in pixels, until it has been drawn. */
export function estimateHeight(row: ListedRow | undefined): number {
  if (row === undefined) return BUBBLE_PX;
  if ('unsent' in row) return BUBBLE_PX + (linesOf(row.unsent.body) - 1) * LINE_PX;
  const { message, day, is_first } = row.placed;
  return (
    BUBBLE_PX +
    (linesOf(message.body) - 1) * LINE_PX +
    (message.files.length > 0 ? FILE_PX : 0) +
    (message.reactions.length > 0 ? REACTIONS_PX : 0) +
    (day === undefined ? 0 : DAY_PX) +
    (is_first ? 8 : 0)
  );
}

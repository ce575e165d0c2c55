/** Sync cursors: how far a device has synced the changes of its calendar, and since when. */
import { default_limits } from '../../../kernel/load/limits.ts';
import { fail, invalid } from '../../../kernel/errors.ts';
import { after } from '../../../kernel/time.ts';

/** The number of the last change that a device has, and when it read it. */
export type Cursor = { seq: number; at: Date };

/** A cursor as opaque text. */
export function writeCursor({ seq, at }: Cursor): string {
  return Buffer.from(`${seq}.${Math.floor(at.getTime() / 1000)}`).toString('base64url');
}

/** @throws ApiError `validation_failed` for an invalid cursor */
export function readCursor(text: string): Cursor {
  const parts = /^(\d{1,15})\.(\d{1,12})$/.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (!parts) return invalid({ cursor: 'is not a valid cursor' });
  return { seq: Number(parts[1]), at: new Date(Number(parts[2]) * 1000) };
}

/** Deletions before this time may have been removed. */
export const oldestTombstone = (now: Date): Date => after(now, -default_limits.calendar_tombstone_days * 86_400);

/**
 * Refuses a cursor after which deletions may have been removed, or that belongs to no calendar.
 * @throws ApiError `gone`
 */
export function requireFresh({ seq, at }: Cursor, calendar: { seq: number; forgotten_seq: number }, now: Date): void {
  if (at < oldestTombstone(now) || seq < calendar.forgotten_seq || seq > calendar.seq)
    fail('gone', { message: 'This cursor has expired. Start again without a cursor.' });
}

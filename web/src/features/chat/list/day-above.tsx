import { useRef } from 'react';
import { describeDay } from '../arrange-messages.ts';
import type { ListedRow } from './listed-rows.ts';

/** The day of a row in words over the list; undefined where it begins with that row, which then says so itself. */
export function dayAbove(rows: readonly ListedRow[], top: number | undefined): Date | undefined {
  const dayOf = (row: ListedRow | undefined) => (row !== undefined && 'placed' in row ? row.placed.day : undefined);
  if (top === undefined || dayOf(rows[top]) !== undefined) return undefined;
  return dayOf(rows.slice(0, top).findLast((row) => dayOf(row) !== undefined));
}

/** The day of what is read, over the messages while they are scrolled; it fades with its words. */
export function DayAbove({ day }: { day: Date | undefined }) {
  const last = useRef(day);
  last.current = day ?? last.current;
  return (
    <p className="day day-above" data-shown={day === undefined ? undefined : ''} aria-hidden="true">
      {last.current === undefined ? null : describeDay(last.current)}
    </p>
  );
}

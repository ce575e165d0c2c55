import type { ShownMessage } from './chat-message.ts';
import { dayOf, TOGETHER_WITHIN_MS } from './unsent-runs.ts';
import { formatDate, formatRelativeDay } from '../../i18n/format.ts';

/** A message with its position in a group of one author. */
export interface PlacedMessage {
  readonly message: ShownMessage;
  /** The day that starts with it, if any: midnight in the reader's time zone. */
  readonly day?: Date;
  readonly is_first: boolean;
  readonly is_last: boolean;
}

/** When a message was written, and on which local day. */
interface Moment {
  readonly at_ms: number;
  readonly day: Date;
}

/** The times of messages in order: a local day is computed once for all of its messages. */
function momentsOf(messages: readonly ShownMessage[]): Moment[] {
  let [day, next_ms] = [new Date(0), 0];
  return messages.map(({ created_at }) => {
    const at_ms = Date.parse(created_at);
    if (at_ms >= next_ms || at_ms < day.getTime()) {
      day = dayOf(created_at);
      next_ms = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
    }
    return { at_ms, day };
  });
}

const areOfOne = (one: ShownMessage | undefined, next: ShownMessage | undefined): boolean =>
  one?.by !== undefined && one.by.id === next?.by?.id;

const areTogether = (one: Moment | undefined, next: Moment | undefined): boolean =>
  one !== undefined && one.day === next?.day && next.at_ms - one.at_ms <= TOGETHER_WITHIN_MS;

/** Adds day separators, and groups messages by author. @param messages oldest first */
export function arrangeMessages(messages: readonly ShownMessage[]): PlacedMessage[] {
  const moments = momentsOf(messages);
  const isRun = (at: number) => areOfOne(messages[at], messages[at + 1]) && areTogether(moments[at], moments[at + 1]);
  return messages.map((message, at) => {
    const day = moments[at]?.day;
    return {
      message,
      ...(day === undefined || day === moments[at - 1]?.day ? {} : { day }),
      is_first: !isRun(at - 1),
      is_last: !isRun(at),
    };
  });
}

/** A day in words: today, yesterday, a weekday of this week, or the date. */
export function describeDay(day: Date, now = new Date()): string {
  const today = dayOf(now.toISOString());
  const ago = Math.round((today.getTime() - day.getTime()) / 86_400_000);
  if (ago < 2 && ago >= 0) return formatRelativeDay(-ago);
  if (ago > 0 && ago < 7) return formatDate(day, { weekday: 'long' });
  const year = day.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return formatDate(day, { weekday: 'short', day: 'numeric', month: 'long', ...year });
}

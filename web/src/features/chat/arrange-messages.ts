import type { ShownMessage } from './chat-message.ts';
import { locale } from '../../i18n/locale.ts';

/** Messages of one writer no further apart than this stand together. */
const TOGETHER_WITHIN_MS = 5 * 60_000;

/** A message with its place in the run of its writer. */
export interface PlacedMessage {
  readonly message: ShownMessage;
  /** The day that begins with it, where one does: midnight of the reader's clock. */
  readonly day?: Date;
  readonly is_first: boolean;
  readonly is_last: boolean;
}

const dayOf = (at: string): Date => {
  const day = new Date(at);
  day.setHours(0, 0, 0, 0);
  return day;
};

function areTogether(one: ShownMessage | undefined, next: ShownMessage | undefined): boolean {
  if (one === undefined || next === undefined || one.by === undefined || one.by.id !== next.by?.id) return false;
  const apart_ms = Date.parse(next.created_at) - Date.parse(one.created_at);
  return apart_ms <= TOGETHER_WITHIN_MS && dayOf(one.created_at).getTime() === dayOf(next.created_at).getTime();
}

/** Puts days between messages, and messages of one writer into runs. @param messages oldest first */
export function arrangeMessages(messages: readonly ShownMessage[]): PlacedMessage[] {
  return messages.map((message, at) => {
    const before = messages[at - 1];
    const day = dayOf(message.created_at);
    const is_new_day = before === undefined || dayOf(before.created_at).getTime() !== day.getTime();
    return {
      message,
      ...(is_new_day ? { day } : {}),
      is_first: !areTogether(before, message),
      is_last: !areTogether(message, messages[at + 1]),
    };
  });
}

/** A day in words: today, yesterday, a weekday of this week, or the date. */
export function describeDay(day: Date, now = new Date()): string {
  const today = dayOf(now.toISOString());
  const ago = Math.round((today.getTime() - day.getTime()) / 86_400_000);
  if (ago < 2 && ago >= 0) {
    const words = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(-ago, 'day');
    return words.charAt(0).toLocaleUpperCase(locale()) + words.slice(1);
  }
  if (ago > 0 && ago < 7) return day.toLocaleDateString(locale(), { weekday: 'long' });
  const year = day.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return day.toLocaleDateString(locale(), { weekday: 'short', day: 'numeric', month: 'long', ...year });
}

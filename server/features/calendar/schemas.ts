import { Reminder } from '../../domain/calendar/events.ts';
import { max_rule_length } from '../../domain/recurrence/rule-text.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { headingText, idOf, moment, nullable, object, optional, text, Type } from '../../kernel/schema.ts';

/** A start, an end or an exception as typed. */
export const WhenInput = Type.String({
  maxLength: 40,
  description: 'An RFC 3339 timestamp; a date YYYY-MM-DD for an all-day event.',
});

/** The input fields of an event, besides title, start and end. `null` clears. */
export const eventSettings = {
  description: optional(nullable(text(0, 8000))),
  location: optional(nullable(text(0, 500))),
  all_day: optional(
    nullable(Type.Boolean({ description: 'Start and end are then dates, and `ends_at` is exclusive.' })),
  ),
  timezone: optional(nullable(text(1, 64, 'An IANA name; the time zone of the account by default.'))),
  rrule: optional(nullable(text(1, max_rule_length, 'RFC 5545, without the prefix RRULE:.'))),
  exdates: optional(nullable(Type.Array(WhenInput, { maxItems: default_limits.event_exdates }))),
  reminders: optional(nullable(Type.Array(Reminder, { maxItems: default_limits.event_reminders }))),
  call: optional(nullable(object({ enabled: Type.Boolean() }))),
};

export const Title = headingText(1, 200);

export const EventPath = object({ event_id: idOf('evt') });

export const CalendarFeed = object({
  url: Type.String({ description: 'A secret address for calendar subscriptions.' }),
  created_at: moment,
});

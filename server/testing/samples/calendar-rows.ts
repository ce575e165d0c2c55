/** Calendar events of all sorts as rows, for tests of exporters. */
import type { EventRow } from '../../domain/calendar/events.ts';
import { measure } from '../../domain/recurrence/schedule.ts';

const hostile_titles = [
  'Plain',
  'Semicolons; commas, and \\ backslashes',
  'Two\nlines\r\nand a third\rand BEGIN:VEVENT\nEND:VCALENDAR',
  `Long ${'ä€😀'.repeat(40)}`,
  '"Quoted": value=x;y=z',
  'Ends with a backslash\\',
];

const shapes: { timezone: string; starts_at: string; rrule: string | null; exdates?: string[]; all_day?: boolean }[] = [
  { timezone: 'UTC', starts_at: '2026-03-04T09:00:00Z', rrule: null },
  { timezone: 'Europe/Berlin', starts_at: '2026-03-04T09:00:00Z', rrule: 'FREQ=WEEKLY;BYDAY=WE,FR' },
  {
    timezone: 'Europe/Berlin',
    starts_at: '2026-03-04T09:00:00Z',
    rrule: 'FREQ=WEEKLY;BYDAY=MO',
    exdates: ['2026-03-16T09:00:00Z'],
  },
  { timezone: 'America/New_York', starts_at: '2026-01-31T14:00:00Z', rrule: 'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=20' },
  {
    timezone: 'Australia/Lord_Howe',
    starts_at: '2026-01-31T14:00:00Z',
    rrule: 'FREQ=MONTHLY;BYDAY=2TU;UNTIL=20271231T000000Z',
  },
  {
    timezone: 'America/Santiago',
    starts_at: '2026-05-31T14:00:00Z',
    rrule: 'FREQ=YEARLY;BYMONTH=1,6;BYMONTHDAY=15;UNTIL=20300101',
  },
  {
    timezone: 'Asia/Kolkata',
    starts_at: '2026-05-30T18:30:00Z',
    rrule: 'FREQ=DAILY;INTERVAL=3',
    all_day: true,
    exdates: ['2026-06-03'],
  },
  { timezone: 'Africa/Cairo', starts_at: '2026-01-10T08:00:00Z', rrule: 'FREQ=WEEKLY;INTERVAL=2' },
];

/** Creates events with all of these times and titles, each with reminders. */
export function createCalendarRows(): EventRow[] {
  const owner = { id: 'usr_1', username: 'alice', display_name: 'Alice', avatar_key: null };
  return shapes.flatMap((shape, row) =>
    hostile_titles.map((title, column) => {
      const { timezone, rrule, exdates = [], all_day = false } = shape;
      const starts_at = new Date(shape.starts_at);
      const ends_at = new Date(starts_at.getTime() + (all_day ? 86_400_000 : 5_400_000));
      const [starts_s, ends_s] = [starts_at.getTime() / 1000, ends_at.getTime() / 1000];
      const { rule_end_s, first_s } = measure({ starts_s, ends_s, all_day, timezone, rrule, exdates });
      return {
        id: `evt_${row}x${column}`,
        owner_id: owner.id,
        owner,
        title,
        description: column % 2 === 0 ? title : null,
        location: column % 3 === 0 ? 'Hall; 2, left' : null,
        starts_at,
        ends_at,
        first_at: new Date(first_s * 1000),
        all_day,
        timezone,
        rrule,
        rule_end_s,
        exdates,
        reminders: [5, 1440],
        call_enabled: false,
        join_code: null,
        notified_until: starts_at,
        revision: column + 1,
        created_at: starts_at,
        updated_at: starts_at,
        share_sealed: null,
        guests: null,
      };
    }),
  );
}

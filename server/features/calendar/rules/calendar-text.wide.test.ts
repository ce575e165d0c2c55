/** Parses iCalendar output with icalendar and vobject, the parsers of most Python programs. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { scheduleOf, type EventRow } from '../../../domain/calendar/events.ts';
import { occurrencesIn } from '../../../domain/recurrence/schedule.ts';
import { createCalendarRows } from '../../../testing/samples/calendar-rows.ts';
import { writeCalendar } from './calendar-text.ts';

const program = join(import.meta.dirname, '..', '..', '..', '..', '.cache', 'icalendar', 'bin', 'python');
const reader = { host: 'asterism.test', public_url: 'http://asterism.test', reader_id: 'usr_1' };
const until_s = Date.parse('2027-06-01T00:00:00Z') / 1000;

/** Prints what each parser reads of every event: texts, revision, alarms, and its starts before `until_s`. */
const script = `
import datetime, itertools, json, sys
import icalendar, recurring_ical_events, vobject
text = sys.stdin.buffer.read().decode()
end = datetime.datetime.fromtimestamp(${until_s}, datetime.timezone.utc)
def seconds(value):
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    return int((value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)).timestamp())
def described(get, revision, alarms, starts):
    return {"title": get("summary"), "description": get("description"), "location": get("location"),
            "revision": revision, "alarms": alarms, "starts": sorted(set(starts))}
first = {}
calendar = icalendar.Calendar.from_ical(text)
found = {}
for event in recurring_ical_events.of(calendar).between(datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc), end):
    found.setdefault(str(event["UID"]), []).append(seconds(event["DTSTART"].dt))
for event in calendar.walk("VEVENT"):
    alarms = sorted(int(-alarm["TRIGGER"].dt.total_seconds() // 60) for alarm in event.walk("VALARM"))
    get = lambda name: str(event[name]) if name in event else None
    first[str(event["UID"])] = described(get, int(event["SEQUENCE"]), alarms, found.get(str(event["UID"]), []))
second = {}
for event in vobject.readOne(text).vevent_list:
    starts = event.getrruleset(addRDate=False)
    if starts is None or "rrule" not in event.contents:
        times = [event.dtstart.value]
    else:
        times = list(itertools.islice(starts, 2000))
    alarms = sorted(int(-alarm.trigger.value.total_seconds() // 60) for alarm in event.valarm_list)
    get = lambda name: event.contents[name][0].value if name in event.contents else None
    within = [at for at in map(seconds, times) if at < ${until_s}]
    second[event.uid.value] = described(get, int(event.sequence.value), alarms, within)
print(json.dumps([first, second]))
`;

/** Returns the same fields of our row. All-day events float, so that they are placed in UTC. */
function describeRow(row: EventRow) {
  const schedule = scheduleOf(row);
  const text = (value: string | null) => value?.replaceAll(/\r\n|\r/g, '\n') ?? null;
  const found = occurrencesIn(schedule, schedule.starts_s, until_s);
  return {
    title: text(row.title),
    description: text(row.description),
    location: text(row.location),
    revision: row.revision,
    alarms: row.reminders,
    starts: found
      .map((occurrence) => (row.all_day ? occurrence.local_s : occurrence.starts_s))
      .filter((at) => at < until_s),
  };
}

describeUnlessMissing(existsSync(program) ? undefined : '.cache/icalendar', 'iCalendar output', () => {
  it('is parsed by icalendar and vobject with the same values', async () => {
    const rows = createCalendarRows();
    const output = execFileSync(program, ['-c', script], {
      input: await writeCalendar(rows, reader),
      maxBuffer: 2 ** 26,
    });
    const expected = Object.fromEntries(rows.map((row) => [`${row.id}@${reader.host}`, describeRow(row)]));
    const [icalendar, vobject] = JSON.parse(output.toString()) as object[];
    expect(icalendar).toEqual(expected);
    expect(vobject).toEqual(expected);
  });
});

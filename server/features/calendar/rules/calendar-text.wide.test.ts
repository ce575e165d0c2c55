/** The calendar file, read by the two parsers that most programs in Python use. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeUnlessMissing } from '../../../../tools/skip.ts';
import { scheduleOf, type EventRow } from '../../../domain/calendar/events.ts';
import { occurrencesIn } from '../../../domain/recurrence/schedule.ts';
import { createCalendarRows } from '../../../testing/calendar-rows.ts';
import { writeCalendar } from './calendar-text.ts';

const program = join(import.meta.dirname, '..', '..', '..', '..', '.cache', 'icalendar', 'bin', 'python');
const reader = { host: 'asterism.test', public_url: 'http://asterism.test', reader_id: 'usr_1' };
const until_s = Date.parse('2027-06-01T00:00:00Z') / 1000;

/** What each of the two reads of every event: texts, revision, alarms, and its starts until a moment. */
const script = `
import datetime, itertools, json, sys
import icalendar, recurring_ical_events, vobject
text = sys.stdin.buffer.read().decode()
end = datetime.datetime.fromtimestamp(${until_s}, datetime.timezone.utc)
def seconds(value):
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    return int((value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)).timestamp())
def told(one, get, revision, alarms, starts):
    return {"title": get("summary"), "description": get("description"), "location": get("location"),
            "revision": revision, "alarms": alarms, "starts": sorted(set(starts))}
first = {}
calendar = icalendar.Calendar.from_ical(text)
found = {}
for one in recurring_ical_events.of(calendar).between(datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc), end):
    found.setdefault(str(one["UID"]), []).append(seconds(one["DTSTART"].dt))
for one in calendar.walk("VEVENT"):
    alarms = sorted(int(-alarm["TRIGGER"].dt.total_seconds() // 60) for alarm in one.walk("VALARM"))
    get = lambda name: str(one[name]) if name in one else None
    first[str(one["UID"])] = told(one, get, int(one["SEQUENCE"]), alarms, found.get(str(one["UID"]), []))
second = {}
for one in vobject.readOne(text).vevent_list:
    starts = one.getrruleset(addRDate=False)
    if starts is None or "rrule" not in one.contents:
        times = [one.dtstart.value]
    else:
        times = list(itertools.islice(starts, 2000))
    alarms = sorted(int(-alarm.trigger.value.total_seconds() // 60) for alarm in one.valarm_list)
    get = lambda name: one.contents[name][0].value if name in one.contents else None
    within = [at for at in map(seconds, times) if at < ${until_s}]
    second[one.uid.value] = told(one, get, int(one.sequence.value), alarms, within)
print(json.dumps([first, second]))
`;

/** The same by our own rows. Whole days float, so that they are placed in UTC. */
function tell(row: EventRow) {
  const schedule = scheduleOf(row);
  const text = (words: string | null) => words?.replaceAll(/\r\n|\r/g, '\n') ?? null;
  const found = occurrencesIn(schedule, schedule.starts_s, until_s);
  return {
    title: text(row.title),
    description: text(row.description),
    location: text(row.location),
    revision: row.revision,
    alarms: row.reminders,
    starts: found.map((one) => (row.all_day ? one.local_s : one.starts_s)).filter((at) => at < until_s),
  };
}

describeUnlessMissing(existsSync(program) ? undefined : '.cache/icalendar', 'the calendar file', () => {
  it('is read by icalendar and by vobject as it was meant', { timeout: 60_000 }, () => {
    const rows = createCalendarRows();
    const output = execFileSync(program, ['-c', script], { input: writeCalendar(rows, reader), maxBuffer: 2 ** 26 });
    const wanted = Object.fromEntries(rows.map((row) => [`${row.id}@${reader.host}`, tell(row)]));
    const [icalendar, vobject] = JSON.parse(output.toString()) as object[];
    expect(icalendar).toEqual(wanted);
    expect(vobject).toEqual(wanted);
  });
});

/**
 * Measures the costs of calendars: a month with 200 recurring events, and an unchanged feed beside GET /me. Called by
 * npm run bench; `npm run bench -- calendar` measures only this.
 */
import { Agent, request } from 'node:http';
import type pg from 'pg';
import { ask, cpuOf, cpuOfDatabase, median, type Ask } from './measure.ts';
import type { BenchRun, Person } from './subjects.ts';

const events_count = 200;
/** The number of other people's events in the table, in two measurements. */
const others_counts = [1000, 100_000];
const rounds = 5;
/** The resolution of /proc is 10 ms, so many requests are measured together. */
const asks = 100;
const rules = ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,WE,FR', 'FREQ=MONTHLY;BYDAY=2TU', 'FREQ=WEEKLY;INTERVAL=2'];

/** What the measurements of the calendar need. */
export type CalendarRun = Pick<BenchRun, 'service' | 'db' | 'postmaster' | 'people' | 'write'>;

/** Returns the status of an address outside of the API. */
function open(port: number, agent: Agent, path: string, headers: Record<string, string>): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, agent, path, headers, host: '127.0.0.1' }, (response) => {
      response.resume();
      response.once('end', () => resolve([response.statusCode ?? 0, String(response.headers.etag ?? '')]));
    });
    sent.once('error', reject);
    sent.end();
  });
}

async function makeEvents(port: number, agent: Agent, { token }: Person): Promise<void> {
  for (let at = 0; at < events_count; at++) {
    const body = JSON.stringify({
      title: `Event ${at}`,
      starts_at: '2025-03-04T09:00:00Z',
      ends_at: '2025-03-04T10:00:00Z',
      timezone: 'Europe/Berlin',
      rrule: rules[at % rules.length],
    });
    const [status, text] = await ask(port, agent, { method: 'POST', path: '/v1/calendar/events', token, body });
    if (status !== 201) throw new Error(`An event had status ${status}: ${text.slice(0, 200)}`);
  }
}

/** Adds recurring events of everybody but the first person, up to a number. */
async function addOthers(db: pg.Client, people: Person[], from: number, to: number): Promise<void> {
  const owners = people.slice(1).map(({ id }) => id);
  await db.query(
    `insert into calendar_events (id, owner_id, title, starts_at, ends_at, all_day, timezone, rrule, first_at, last_at,
       notified_until, created_at, updated_at)
     select 'evt_' || lpad(n::text, 26, '0'), ($1::text[])[1 + n % cardinality($1::text[])], 'Event ' || n, at, at + interval '1 hour', false,
            'Europe/Berlin', 'FREQ=WEEKLY', at, 'infinity', now(), now(), now()
     from (select n, timestamptz '2025-03-04' + n % 365 * interval '1 day' as at from generate_series($2::int, $3::int) n) made`,
    [owners, from, to],
  );
  await db.query('vacuum analyze');
}

/** Measures both, in milliseconds of CPU of the service, and of the service with its database. */
export async function measureCalendar({ service, db, postmaster, people, write }: CalendarRun): Promise<void> {
  const [person] = people;
  if (!person) throw new Error('There is nobody whose calendar could be measured.');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { pid, port } = service;
  await makeEvents(port, agent, person);
  const get = (path: string): Ask => ({ method: 'GET', path, token: person.token });
  const cost = async (title: string, once: () => Promise<unknown>) => {
    const figures: { own: number; all: number }[] = [];
    for (let round = 0; round <= rounds; round++) {
      const [own_ms, database_ms] = [cpuOf(pid), cpuOfDatabase(postmaster)];
      for (let at = 0; at < asks; at++) await once();
      const own = (cpuOf(pid) - own_ms) / asks;
      if (round > 0) figures.push({ own, all: own + (cpuOfDatabase(postmaster) - database_ms) / asks });
    }
    const of = (name: 'own' | 'all') => median(figures.map((one) => one[name]));
    write(title, `${of('own').toFixed(2)} ms of CPU, ${of('all').toFixed(2)} ms with the database`);
    return of('all');
  };
  const window = '/v1/calendar/events?from=2026-05-01T00:00:00Z&to=2026-06-01T00:00:00Z&limit=100';
  let others = 0;
  for (const count of others_counts) {
    await addOthers(db, people, others + 1, count);
    others = count;
    await cost(`31 days of ${events_count} events, others ${count}`, () => ask(port, agent, get(window)));
  }
  const [, text] = await ask(port, agent, get('/v1/calendar/feed'));
  const { pathname } = new URL((JSON.parse(text) as { url: string }).url);
  const [, etag] = await open(port, agent, pathname, {});
  const unchanged_ms = await cost('feed that has not changed (304)', async () => {
    const [status] = await open(port, agent, pathname, { 'if-none-match': etag });
    if (status !== 304) throw new Error(`An unchanged feed had status ${status}.`);
  });
  const me_ms = await cost('GET /me, one after the other', () => ask(port, agent, get('/v1/me')));
  write('unchanged feed beside GET /me', `ratio ${(unchanged_ms / me_ms).toFixed(2)}`);
  agent.destroy();
}

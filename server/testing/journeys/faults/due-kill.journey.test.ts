/**
 * Two nodes on one database, one of which is killed at the moment at which a job runs: it runs once, within two seconds
 * of its time, on the other.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { FaultPoint } from '../../running/fault-points.ts';
import { openAcceptedThread, requestAs, signUp, type RunningPerson } from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';
import { databaseUrl, template_name } from '../../world/template.ts';

/** How long before its time a job is created, so that the kill is prepared by then. */
const lead_ms = 4000;
/** The same for jobs without a kill. */
const short_lead_ms = 1000;
const max_late_ms = 2000;
const job_count = 60;

type Planned = { id: string; at: Date };
type Kind = 'text' | 'reminder' | 'event_starting' | 'event_reminder';

describe('due jobs when a node is killed', () => {
  let db: pg.Client;
  let doomed: Service;
  let other: Service;
  let ada: RunningPerson;
  let ben: RunningPerson;

  beforeAll(async () => {
    const server_url = inject('database_url');
    const name = `due_${randomUUID().replaceAll('-', '')}`;
    const admin = new pg.Client({ connectionString: server_url });
    await admin.connect();
    await admin.query(`create database ${name} template ${template_name} strategy file_copy`);
    await admin.end();
    const DATABASE_URL = databaseUrl(server_url, name);
    db = new pg.Client({ connectionString: DATABASE_URL });
    await db.connect();
    const environment = { DATABASE_URL, SERVICE_KEY: randomBytes(24).toString('hex') };
    doomed = await startService({ faults: true, environment });
    ada = await signUp(doomed, 'ada', '+14155550101');
    ben = await signUp(doomed, 'ben', '+14155550102');
    await openAcceptedThread(doomed, ada, ben);
    other = await startService({ environment });
  });
  afterAll(async () => {
    await Promise.all([doomed?.close(), other?.close()]);
    await db?.end();
  });

  /** A whole second, shortly ahead. */
  const soon = (ahead_ms = lead_ms) => new Date(Math.ceil((Date.now() + ahead_ms) / 1000) * 1000);

  async function plan(kind: Kind, text: string, ahead_ms?: number): Promise<Planned> {
    const at = soon(ahead_ms);
    if (kind === 'text' || kind === 'reminder') {
      const target = kind === 'text' ? { target: { user_id: ben.id } } : {};
      const { id } = await requestAs(doomed, ada, 'POST /scheduled-jobs', { kind, ...target, body: text, run_at: at });
      return { id, at };
    }
    const ahead_s = kind === 'event_reminder' ? 600 : 0;
    const { id } = await requestAs(doomed, ada, 'POST /calendar/events', {
      title: text,
      starts_at: new Date(at.getTime() + ahead_s * 1000),
      ends_at: new Date(at.getTime() + (ahead_s + 600) * 1000),
      ...(kind === 'event_reminder' ? { reminders: [{ minutes_before: 10 }] } : { call: { enabled: true } }),
    });
    return { id, at };
  }

  /** The times at which a job took effect, by its rows in the database. */
  async function effects(kind: Kind, { id }: Planned, text: string): Promise<Date[]> {
    const { rows } =
      kind === 'text'
        ? await db.query<{ created_at: Date }>('select created_at from dm_messages where body = $1', [text])
        : await db.query<{ created_at: Date }>(
            'select created_at from notifications where subject_id = $1 and kind = $2 and user_id = $3',
            [id, kind, ada.id],
          );
    return rows.map(({ created_at }) => created_at);
  }

  const rounds: [Kind, FaultPoint][] = [
    ['text', 'before-commit'],
    ['reminder', 'before-commit'],
    ['event_starting', 'before-commit'],
    ['event_reminder', 'before-commit'],
    ['text', 'after-commit'],
    ['event_starting', 'after-commit'],
  ];
  it.each(rounds)('%s, killed %s: runs once, in time', async (kind, point) => {
    const text = `${kind} ${point}`;
    const planned = await plan(kind, text);
    await doomed.arm({ point, containing: planned.id });
    // The other node is stopped until then, so that the doomed one runs the job.
    other.process.kill('SIGSTOP');
    try {
      expect(await doomed.ended()).toBe('SIGKILL');
      expect(await effects(kind, planned, text)).toHaveLength(point === 'after-commit' ? 1 : 0);
    } finally {
      other.process.kill('SIGCONT');
    }
    const [effect] = await poll(async () => {
      const found = await effects(kind, planned, text);
      return found.length > 0 && found;
    }, text);
    // The time at which the effect was visible, not when it began.
    const late_ms = Date.now() - planned.at.getTime();
    console.log(`${text}: ${late_ms} ms after its time`);
    expect(effect?.getTime()).toBeGreaterThanOrEqual(planned.at.getTime());
    expect(late_ms).toBeLessThanOrEqual(max_late_ms);
    await doomed.killAndRestart();
    // The locks of the killed node are released, and its job runs before later ones.
    const after = await plan('reminder', `after ${text}`, short_lead_ms);
    await poll(async () => (await effects('reminder', after, '')).length > 0, 'what comes after it');
    expect(await effects(kind, planned, text)).toEqual([effect]);
  });

  it(`${job_count} at once, killed during them: each runs once`, async () => {
    await db.query(
      `insert into scheduled_jobs (id, user_id, kind, body, run_at, timezone, state, next_run_at, due_at, created_at)
       select 'job_' || lpad(n::text, 26, '0'), $1, 'reminder', 'One of many', $2, 'UTC', 'scheduled', $2, $2, now()
       from generate_series(1, $3) n`,
      [ada.id, soon(), job_count],
    );
    const done = async () =>
      (await db.query(`select 1 from scheduled_jobs where body = 'One of many' and state = 'done'`)).rowCount ?? 0;
    await poll(async () => (await done()) > 0, 'the first of them');
    doomed.process.kill('SIGKILL');
    await doomed.ended();
    await poll(async () => (await done()) === job_count, 'the last of them');
    const { rows } = await db.query(
      `select distinct jsonb_array_length(runs) as runs from scheduled_jobs where body = 'One of many'`,
    );
    expect(rows).toEqual([{ runs: 1 }]);
    const finished_events = await db.query(
      `select distinct data->'job'->>'id' from events where type = 'job.finished' and data->'job'->>'body' = 'One of many'`,
    );
    expect(finished_events.rowCount).toBe(job_count);
    await doomed.killAndRestart();
  });
});

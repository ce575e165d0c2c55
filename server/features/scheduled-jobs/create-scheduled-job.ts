import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { Target } from '../../domain/calls/start/callees.ts';
import { job_kinds } from '../../domain/scheduling/job-kinds.ts';
import { status_visibilities } from '../../domain/social/statuses.ts';
import { emitUpdated, presentJob, ScheduledJob } from './rules/scheduled-jobs.ts';
import { wakeAt } from './rules/wake.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, nullable, object, oneOf, optional, text, Type, visibleText } from '../../kernel/schema.ts';
import { insertJob, selectTimeZone } from './queries.ts';
import { requireReachableTarget, requireFields } from './rules/targets.ts';
import { requireFirstRun, requireRunAt, requireTimeZone } from './rules/times.ts';

export const createScheduledJob = endpoint({
  id: 'createScheduledJob',
  route: 'POST /scheduled-jobs',
  summary: 'Schedule a message, a call, a status or a reminder',
  description: 'A text to a phone has at most 600 characters, a status 2,000, a reminder 1,000.',
  extension: true,
  body: object({
    kind: oneOf(...job_kinds),
    target: optional(nullable(Target, { description: 'For a text or a call: one target, as in `to` of a call.' })),
    body: optional(nullable(visibleText(1, 4000))),
    tag_id: optional(nullable(idOf('tag'))),
    visibility: optional(nullable(oneOf(...status_visibilities))),
    run_at: Type.String({ format: 'date-time', maxLength: 40, description: 'At most a year ahead.' }),
    timezone: optional(text(1, 64, 'A name of the IANA time zone database; yours by default.')),
    rrule: optional(
      nullable(text(1, 300, 'RFC 5545, without `RRULE:`. It repeats on the wall clock of the time zone.')),
    ),
  }),
  reply: ScheduledJob,
  status: [201],
  errors: ['plan_limit_reached'],
  async run({ caller, origin, body, ...change }) {
    const { db, now } = change;
    const { kind, target = null, tag_id = null, visibility = null, rrule = null } = body;
    const wanted = { kind, target, body: body.body ?? null, tag_id, visibility };
    requireFields(wanted);
    const run_at = requireRunAt(body.run_at, now);
    const timezone =
      body.timezone === undefined ? await selectTimeZone(db, caller.user_id) : requireTimeZone(body.timezone);
    const next_run_at = rrule === null ? run_at : requireFirstRun(rrule, run_at, timezone);
    await requireReachableTarget(db, change.services, wanted, { user_id: caller.user_id, now });
    const job = { ...wanted, id: change.id('job'), user_id: caller.user_id, run_at, timezone, rrule };
    const allowed = plan_limits[caller.tier].scheduled_jobs;
    const row = await insertJob(db, { ...job, next_run_at, created_at: now }, allowed);
    const created = row ?? fail('plan_limit_reached');
    wakeAt(change, next_run_at);
    await emitUpdated(change, created);
    return presentJob(created, languageOfOrigin(origin));
  },
});

import { job_states, presentJob, ScheduledJob } from './rules/scheduled-jobs.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { pageQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, oneOf, optional } from '../../kernel/schema.ts';
import { selectJobs } from './queries.ts';

export const listScheduledJobs = endpoint({
  id: 'listScheduledJobs',
  route: 'GET /scheduled-jobs',
  summary: 'List your scheduled messages, calls, statuses and reminders',
  query: object({ state: optional(oneOf(...job_states)), ...pageQuery('job') }),
  reply: listOf(ScheduledJob),
  async run({ caller, origin, query, db }) {
    const language = languageOfOrigin(origin);
    return toPage(await selectJobs(db, caller.user_id, query), query, (row) => presentJob(row, language));
  },
});

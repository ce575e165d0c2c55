import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { found, invalid } from '../../kernel/errors.ts';
import { isId } from '../../kernel/id.ts';
import { object, oneOf, optional, text, Type } from '../../kernel/schema.ts';
import { insertReport, selectOpenReport, selectTarget } from './queries.ts';
import { AbuseReport, presentReport, report_reasons, target_prefixes, target_types } from './schemas.ts';

export const createAbuseReport = endpoint({
  id: 'createAbuseReport',
  route: 'POST /abuse-reports',
  summary: 'Report abuse',
  description: 'Repeating a report that is still open returns it.',
  throttle: 'report',
  body: object({
    target_type: oneOf(...target_types),
    target_id: Type.String({
      maxLength: 64,
      description:
        'The identifier of something you can see, or of a person who has blocked you; a call by its `conference_id`.',
    }),
    reason: oneOf(...report_reasons),
    note: optional(text(0, 1000)),
  }),
  reply: AbuseReport,
  status: [201, 200],
  async run({ body, ...change }) {
    const viewer = viewerOf(change);
    const { db } = change;
    const { target_type, target_id, reason, note = '' } = body;
    if (!target_prefixes[target_type].some((prefix) => isId(prefix, target_id)))
      invalid({ target_id: `is not the identifier of a ${target_type}` });
    if (target_id === viewer.id) invalid({ target_id: 'cannot be yourself' });
    const existing = await selectOpenReport(db, viewer.id, target_type, target_id);
    if (existing) return reply(200, presentReport(existing));
    const target = await selectTarget(db, target_type, target_id, viewer);
    if (!target) invalid({ target_id: 'is not something you can report' });
    const made = await insertReport(change, { ...target, target_type, target_id, reason, note }, viewer.id);
    if (made) return presentReport(made);
    return reply(200, presentReport(found(await selectOpenReport(db, viewer.id, target_type, target_id))));
  },
});

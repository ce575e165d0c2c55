import { report_states, type ReportRow } from '../../domain/moderation/reports.ts';
import type { IdPrefix } from '../../kernel/id.ts';
import { component, idOf, moment, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';

/** The kinds of targets, and their identifiers. */
export const target_prefixes = {
  user: ['usr'],
  tag: ['tag'],
  status: ['post'],
  comment: ['cmt'],
  message: ['chat', 'dm', 'msg'],
  call: ['conf'],
} as const satisfies Record<string, readonly IdPrefix[]>;

/** A type of what can be reported. */
export type TargetType = keyof typeof target_prefixes;
/** The types of what can be reported. */
export const target_types = Object.keys(target_prefixes) as TargetType[];

/** The reasons of which a report names one. */
export const report_reasons = [
  'spam',
  'harassment',
  'hate',
  'violence',
  'sexual',
  'impersonation',
  'illegal',
  'other',
] as const;

export const AbuseReport = component(
  'AbuseReport',
  object({
    id: idOf('rpt'),
    target_type: oneOf(...target_types),
    target_id: Type.String(),
    reason: oneOf(...report_reasons),
    note: Type.String(),
    state: oneOf(...report_states),
    created_at: moment,
  }),
);

/** A report as the reporter sees it. */
export function presentReport(row: ReportRow): Static<typeof AbuseReport> {
  return {
    id: row.id,
    target_type: row.target_type as TargetType,
    target_id: row.target_id,
    reason: row.reason as (typeof report_reasons)[number],
    note: row.note,
    state: row.state,
    created_at: wireTime(row.created_at),
  };
}

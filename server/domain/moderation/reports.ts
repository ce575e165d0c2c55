/** Reports of abuse, as operators see them. */
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { change as inChange, type Services } from '../../kernel/services.ts';
import { ModerationError, recordAct, type ActRow, type ModerationReason } from './moderation-acts.ts';

/** The states of a report. */
export const report_states = ['open', 'dismissed', 'resolved'] as const;

/** A report, with what it reports as it was then. */
export type ReportRow = {
  id: string;
  reporter_id: string;
  target_type: string;
  target_id: string;
  accused_id: string | null;
  reason: string;
  note: string;
  snapshot: unknown;
  state: (typeof report_states)[number];
  created_at: Date;
  closed_at: Date | null;
};

/** The queue of open reports, oldest first; or those of another state. */
export function selectReports(db: Queryable, state: ReportRow['state'], limit: number): Promise<ReportRow[]> {
  return db.many<ReportRow>(sql`select * from abuse_reports where state = ${state} order by id limit ${limit}`);
}

/** A report with the earlier actions on its target and its target's owner. @throws ModerationError */
export async function requireReport(db: Queryable, id: string): Promise<{ report: ReportRow; acts: ActRow[] }> {
  const report = await db.maybe<ReportRow>(sql`select * from abuse_reports where id = ${id}`);
  if (!report) throw new ModerationError(`There is no report ${id}.`);
  const acts = await db.many<ActRow>(sql`
    select act, operator, reason, report_id, at from moderation_acts
    where (target_type = ${report.target_type} and target_id = ${report.target_id})
      or (target_type = 'user' and target_id = ${report.accused_id}) order by moderation_acts.id`);
  return { report, acts };
}

/** Closes an open report without acting on its target. @throws ModerationError */
export function dismissReport(services: Services, id: string, motive: ModerationReason): Promise<void> {
  return inChange(services, async (change) => {
    const report = await change.db.maybe<ReportRow>(sql`
      update abuse_reports set state = 'dismissed', closed_at = ${change.now} where id = ${id} and state = 'open' returning *`);
    if (!report) throw new ModerationError(`There is no open report ${id}.`);
    const act = { act: 'dismiss', type: report.target_type, id: report.target_id, report_id: id } as const;
    await recordAct(change, act, motive);
  });
}

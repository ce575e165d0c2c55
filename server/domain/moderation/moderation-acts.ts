/** Acts of operators: each is stored with its reason, and closes the open reports about its target. */
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { tiers } from '../../kernel/caller.ts';
import type { Change } from '../../kernel/services.ts';

/** What operators do, as it is recorded. */
export const moderation_acts = [
  'dismiss',
  'hide',
  'unhide',
  'suspend',
  'restore',
  ...tiers.map((tier) => `plan ${tier}` as const),
];
type ModerationAct = (typeof moderation_acts)[number];

/** An act of an operator as it was recorded. */
export type ActRow = { act: ModerationAct; operator: string; reason: string; report_id: string | null; at: Date };

/** The operator, and their reason. */
export type ModerationReason = { operator: string; reason: string };

/** An action that is not possible. Its message is one sentence for the operator. */
export class ModerationError extends Error {}

/** Finds an account by identifier or username. @throws ModerationError */
export async function requireUser(db: Queryable, user: string): Promise<string> {
  const name = user.replace(/^@/, '').toLowerCase();
  const row = await db.maybe<{ id: string }>(
    sql`select id from users where (id = ${user} or username = ${name}) and deleted_at is null`,
  );
  if (!row) throw new ModerationError(`There is no account ${user}.`);
  return row.id;
}

/** What an operator does about something. */
export type RecordedAct = { act: ModerationAct; type: string; id: string; report_id?: string };

/** Stores an act with its reason, logs it, and closes the open reports about its target. */
export async function recordAct(
  change: Change,
  { act, type, id, report_id }: RecordedAct,
  { operator, reason }: ModerationReason,
): Promise<void> {
  const { db, now } = change;
  await db.run(sql`
    insert into moderation_acts (act, target_type, target_id, operator, reason, report_id, at)
    values (${act}, ${type}, ${id}, ${operator}, ${reason}, ${report_id ?? null}, ${now})`);
  if (act === 'hide' || act === 'suspend') {
    await db.run(sql`
      update abuse_reports set state = 'resolved', closed_at = ${now}
      where target_type = ${type} and target_id = ${id} and state = 'open'`);
  }
  change.afterCommit(() =>
    change.services.log.info({ act, target_type: type, target_id: id, operator, reason, report_id }, 'moderation'),
  );
}

/**
 * Moderation: what operators do about reports, people and content. Each action sets one flag and leaves the rest to the
 * rules of visibility, so that clearing the flag restores exactly what was there. Each is stored with its reason.
 */
import { raw, sql, type Queryable } from '../../kernel/database/database.ts';
import { change as inChange, type Change, type Services } from '../../kernel/services.ts';
import { grantPlan, resumePlansOf, suspendPlansOf } from '../billing/plans.ts';
import { endCallsOf } from '../calls/leave-calls.ts';
import { endCallInRoomOf } from '../calls/leave-places.ts';
import { commentDeleted } from '../social/comments.ts';
import { tiers, type Tier } from '../../kernel/caller.ts';
import { revokeSessions } from '../sessions/sessions.ts';
import { everyone } from '../visibility/viewer.ts';
import { endGuestsOf } from '../widgets/widgets.ts';
import {
  from_statuses,
  presentStatus,
  replyDeleted,
  statusColumns,
  statusDeleted,
  statusPosted,
  type StatusRow,
} from '../social/statuses.ts';
import { barReplay, hideable_tables, hideNotificationsAbout, hideReplies, type HideableType } from './hiding.ts';

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
    await recordAct(change, { act: 'dismiss', type: report.target_type, id: report.target_id }, motive, id);
  });
}

/** Hides content from all but its author, or restores it. @throws ModerationError when that changes nothing */
export function hideContent(
  services: Services,
  type: HideableType,
  id: string,
  act: 'hide' | 'unhide',
  motive: ModerationReason,
): Promise<void> {
  return inChange(services, async (change) => {
    const hides = act === 'hide';
    const is_present = type === 'tag' ? sql`and deleted_at is null` : sql``;
    const moved = await change.db.run(sql`
      update ${raw(hideable_tables[type])} set hidden_at = ${hides ? change.now : null}::timestamptz
      where id = ${id} and (hidden_at is null) = ${hides} ${is_present}`);
    if (moved === 0) throw new ModerationError(`There is no ${type} ${id} to ${act}.`);
    await emit_hidden[type](change, id, hides);
    await hideNotificationsAbout(change, { type, id });
    await recordAct(change, { act, type, id }, motive);
  });
}

type EmitHidden = (change: Change, id: string, hides: boolean) => Promise<void>;

/** Events for people who are viewing the content. Restored content appears when it is fetched again. */
const emit_hidden: Record<HideableType, EmitHidden> = {
  async tag(change, id, hides) {
    if (!hides) return;
    await barReplay(change, { type: 'tag', id });
    await endGuestsOf(change, sql`w.tag_id = ${id}`);
    await endCallInRoomOf(change, id);
  },
  async status(change, id, hides) {
    const viewer = everyone(change);
    const row = await change.db.one<StatusRow>(
      sql`select ${statusColumns(viewer)} from ${from_statuses} where s.id = ${id}`,
    );
    const topic = `stream:${row.stream_id}` as const;
    if (!hides && !row.hidden) change.emit(statusPosted, [topic], { status: presentStatus(row, viewer) });
    if (!hides) return;
    await change.db.run(sql`
      delete from events where topic = ${topic} and type in ('status.posted', 'status.updated') and data -> 'status' ->> 'id' = ${id}`);
    change.emit(statusDeleted, [topic], { id });
  },
  async reply(change, id, hides) {
    const row = await change.db.one<{ post_id: string; author_id: string }>(sql`
      select r.status_id as post_id, s.author_id from replies r join statuses s on s.id = r.status_id where r.id = ${id}`);
    if (!hides) return;
    const topic = `user:${row.author_id}` as const;
    await change.db.run(sql`
      delete from events where topic = ${topic} and type = 'reply.posted' and data -> 'reply' ->> 'id' = ${id}`);
    change.emit(replyDeleted, [topic], { id, post_id: row.post_id });
  },
  async comment(change, id, hides) {
    const row = await change.db.one<{ tag_id: string; owner_id: string }>(sql`
      select c.tag_id, t.owner_id from comments c join tags t on t.id = c.tag_id where c.id = ${id}`);
    if (!hides) return;
    const topic = `user:${row.owner_id}` as const;
    await change.db.run(sql`
      delete from events where topic = ${topic} and type = 'comment.posted' and data -> 'comment' ->> 'id' = ${id}`);
    change.emit(commentDeleted, [topic], { id, tag_id: row.tag_id });
  },
};

/** Finds an account by identifier or username. @throws ModerationError */
async function requireUser(db: Queryable, user: string): Promise<string> {
  const name = user.replace(/^@/, '').toLowerCase();
  const row = await db.maybe<{ id: string }>(
    sql`select id from users where (id = ${user} or username = ${name}) and deleted_at is null`,
  );
  if (!row) throw new ModerationError(`There is no account ${user}.`);
  return row.id;
}

/**
 * Suspends an account: its sessions, sockets and calls, also those in its rooms, end, and everything of it is hidden from others.
 * @throws ModerationError
 */
export function suspendUser(services: Services, user: string, motive: ModerationReason): Promise<void> {
  return inChange(services, async (change) => {
    const { db, now } = change;
    const id = await requireUser(db, user);
    const moved = await db.run(
      sql`update users set suspended_at = ${now} where id = ${id} and deleted_at is null and suspended_at is null`,
    );
    if (moved === 0) throw new ModerationError(`The account ${user} is suspended already.`);
    await endCallsOf(change, id);
    await revokeSessions(change, id);
    await endGuestsOf(change, sql`w.owner_id = ${id}`);
    await suspendPlansOf(change, id);
    await barReplay(change, { type: 'user', id });
    await hideNotificationsAbout(change, { type: 'user', id });
    change.enqueue(hideReplies, { user_id: id });
    await recordAct(change, { act: 'suspend', type: 'user', id }, motive);
  });
}

/** Ends a suspension: everything hidden by it is visible again; the person signs in again. @throws ModerationError */
export function restoreUser(services: Services, user: string, motive: ModerationReason): Promise<void> {
  return inChange(services, async (change) => {
    const id = await requireUser(change.db, user);
    const moved = await change.db.run(
      sql`update users set suspended_at = null where id = ${id} and suspended_at is not null`,
    );
    if (moved === 0) throw new ModerationError(`The account ${user} is not suspended.`);
    await resumePlansOf(change, id);
    await hideNotificationsAbout(change, { type: 'user', id });
    change.enqueue(hideReplies, { user_id: id });
    await recordAct(change, { act: 'restore', type: 'user', id }, motive);
  });
}

/** Grants an account a plan without payment, or revokes it. @throws ModerationError */
export function grantPlanByOperator(
  services: Services,
  user: string,
  tier: Tier,
  motive: ModerationReason,
): Promise<void> {
  return inChange(services, async (change) => {
    const id = await requireUser(change.db, user);
    await grantPlan(change, id, tier);
    await recordAct(change, { act: `plan ${tier}`, type: 'user', id }, motive);
  });
}

/** Stores an action with its reason, logs it, and closes the open reports about its target. */
async function recordAct(
  change: Change,
  { act, type, id }: { act: ModerationAct; type: string; id: string },
  { operator, reason }: ModerationReason,
  report_id: string | null = null,
): Promise<void> {
  const { db, now } = change;
  await db.run(sql`
    insert into moderation_acts (act, target_type, target_id, operator, reason, report_id, at)
    values (${act}, ${type}, ${id}, ${operator}, ${reason}, ${report_id}, ${now})`);
  if (act === 'hide' || act === 'suspend') {
    await db.run(sql`
      update abuse_reports set state = 'resolved', closed_at = ${now}
      where target_type = ${type} and target_id = ${id} and state = 'open'`);
  }
  change.afterCommit(() =>
    change.services.log.info({ act, target_type: type, target_id: id, operator, reason, report_id }, 'moderation'),
  );
}

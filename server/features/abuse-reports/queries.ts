import { presentUser, publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { comment_columns, maySeeComment, presentComment, type CommentRow } from '../../domain/social/comments.ts';
import { selectCallMessages } from '../../domain/chat/call-chat.ts';
import { selectChatMessages } from '../../domain/chat/messages.ts';
import { presentCall, selectCall } from '../../domain/calls/state/calls.ts';
import { maySeeMessage, selectInbox } from '../../domain/inbox/inbox.ts';
import type { ReportRow } from '../../domain/moderation/reports.ts';
import { from_statuses, presentStatus, statusColumns, type StatusRow } from '../../domain/social/statuses.ts';
import { presentTag, tagColumns, type TagRow } from '../../domain/social/tags.ts';
import { selectDirectMessages } from '../../domain/messages/direct-messages.ts';
import { mayOpenCall, mayReadCallMessage } from '../../domain/visibility/calls.ts';
import { mayReadGroupMessage } from '../../domain/visibility/groups.ts';
import { areNotBlocked, maySeeUser } from '../../domain/visibility/people.ts';
import { maySeeStatus } from '../../domain/visibility/statuses.ts';
import { mayOpenTag } from '../../domain/visibility/tags.ts';
import { mayReadDirectMessage } from '../../domain/visibility/threads.ts';
import { mayReadWidgetMessage } from '../../domain/visibility/widgets.ts';
import type { Viewer } from '../../domain/visibility/viewer.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { isId } from '../../kernel/id.ts';
import type { Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import type { TargetType } from './schemas.ts';

/** The reported content as its reporter sees it, and its owner: null for a guest's message. */
export type ReportedContent = { accused_id: string | null; snapshot: unknown };

type Find = (db: Queryable, id: string, viewer: Viewer) => Promise<ReportedContent | undefined>;

/** How each kind of target is found, as far as the reporter may see it. */
const finds: Record<TargetType, Find> = {
  /**
   * People who have blocked the reporter can be reported by identifier; the snapshot then contains only that. So can
   * suspended and deleted accounts: a refusal would tell them from a block.
   */
  async user(db, id, viewer) {
    const row = await db.maybe<{ user: PublicUserRow; is_seen: boolean }>(sql`
      select ${publicUserJson('u')} as user, ${maySeeUser(viewer.id)} as is_seen from users u where u.id = ${id}`);
    if (!row) return undefined;
    return { accused_id: id, snapshot: row.is_seen ? presentUser(row.user, viewer) : { id } };
  },
  async tag(db, id, viewer) {
    const row = await db.maybe<TagRow>(sql`
      select ${tagColumns(viewer)} from tags t join users u on u.id = t.owner_id
      where t.id = ${id} and ${mayOpenTag(viewer.id)}`);
    return row && { accused_id: row.owner.id, snapshot: presentTag(row, viewer) };
  },
  async status(db, id, viewer) {
    const row = await db.maybe<StatusRow>(sql`
      select ${statusColumns(viewer)} from ${from_statuses} where s.id = ${id} and ${maySeeStatus(viewer.id)}`);
    return row && { accused_id: row.author.id, snapshot: presentStatus(row, viewer) };
  },
  async comment(db, id, viewer) {
    const row = await db.maybe<CommentRow>(sql`
      select ${comment_columns} from comments c join users u on u.id = c.author_id
      where c.id = ${id} and exists (
        select 1 from tags t join users u on u.id = t.owner_id join users a on a.id = c.author_id
        where t.id = c.tag_id and ${maySeeComment(viewer.id)})`);
    return row && { accused_id: row.author.id, snapshot: presentComment(row, viewer) };
  },
  /**
   * A message in a thread, for its two people; in an inbox, for its owner; or in the chat of a call, a group or a
   * widget, for those who may read it.
   */
  async message(db, id, viewer) {
    if (isId('dm', id)) return findDirectMessage(db, id, viewer);
    if (isId('msg', id)) return findInboxMessage(db, id, viewer);
    return findChatMessage(db, id, viewer);
  },
  async call(db, id, viewer) {
    const row = await selectCall(db, sql`c.id = ${id} and ${mayOpenCall(viewer.id)}`);
    if (!row) return undefined;
    // Moderators are not participants, so the PIN for dialling in is left out.
    const snapshot = presentCall({ ...row, dial_in_pin: null }, { id: '', services: viewer.services });
    return { accused_id: row.host_id, snapshot };
  },
};

type Chat = { call_id?: string; group_id?: string; widget_id?: string };

/** A message of a call, a group or a widget. Guests' messages have no account against which operators could act. */
async function findChatMessage(db: Queryable, id: string, viewer: Viewer): Promise<ReportedContent | undefined> {
  const which = sql`m.id = ${id} and m.deleted_at is null and m.kind <> 'system'
    and (m.author_id is null or ${areNotBlocked(viewer.id, 'm.author_id')})`;
  const may_read = sql`case when m.group_id is null then ${mayReadWidgetMessage(viewer.id)} else ${mayReadGroupMessage(viewer.id)} end`;
  const [[in_call], [in_chat], place] = await Promise.all([
    selectCallMessages(
      db,
      sql`${which} and ${mayReadCallMessage(viewer.id)} and exists (
        select 1 from calls c join users host on host.id = c.host_id where c.id = m.call_id and ${mayOpenCall(viewer.id)})`,
      viewer.id,
    ),
    selectChatMessages(db, sql`${which} and ${may_read}`, viewer.id),
    db.maybe<{ chat: Chat }>(sql`
      select json_strip_nulls(json_build_object('call_id', call_id, 'group_id', group_id, 'widget_id', widget_id)) as chat from (
        select call_id, null as group_id, null as widget_id from call_messages where id = ${id}
        union all select null, group_id, widget_id from chat_messages where id = ${id}) m`),
  ]);
  const row = in_call ?? in_chat;
  if (!row || !place) return undefined;
  const { author, guest, body, files } = row;
  const by = author ? { author: presentUser(author, viewer) } : { guest };
  const created_at = wireTime(new Date(row.created_at));
  const snapshot = { id, ...by, body, ...place.chat, media: files.map((file) => file.id), created_at };
  return { accused_id: author?.id ?? null, snapshot };
}

/** A message of a thread, with its attachments. */
async function findDirectMessage(db: Queryable, id: string, viewer: Viewer): Promise<ReportedContent | undefined> {
  const [row] = await selectDirectMessages(
    db,
    sql`m.id = ${id} and m.deleted_at is null and ${mayReadDirectMessage(viewer.id)}`,
  );
  if (!row) return undefined;
  const { thread_id, body, media } = row;
  const author = presentUser(row.sender, viewer);
  const created_at = wireTime(new Date(row.created_at));
  const snapshot = { id, author, body, thread_id, media: media.map((file) => file.id), created_at };
  return { accused_id: author.id, snapshot };
}

/** A message that another account has left in the viewer's inbox, with its attachment. */
async function findInboxMessage(db: Queryable, id: string, viewer: Viewer): Promise<ReportedContent | undefined> {
  const [row] = await selectInbox(db, sql`m.id = ${id} and ${maySeeMessage(viewer.id)}`);
  if (!row?.from_user) return undefined;
  const { kind, body, transcript, file } = row;
  const author = presentUser(row.from_user, viewer);
  const created_at = wireTime(row.created_at);
  const snapshot = { id, kind, author, body, transcript, media: file ? [file.id] : [], created_at };
  return { accused_id: author.id, snapshot };
}

/** The target of a report as a viewer sees it; undefined when there is nothing that they may see. */
export function selectTarget(
  db: Queryable,
  type: TargetType,
  id: string,
  viewer: Viewer,
): Promise<ReportedContent | undefined> {
  return finds[type](db, id, viewer);
}

/** A person's open report about a target. */
export function selectOpenReport(
  db: Queryable,
  reporter_id: string,
  type: string,
  target_id: string,
): Promise<ReportRow | undefined> {
  return db.maybe<ReportRow>(sql`
    select * from abuse_reports
    where reporter_id = ${reporter_id} and target_type = ${type} and target_id = ${target_id} and state = 'open'`);
}

/** A report before it is inserted. */
export type NewReport = ReportedContent & { target_type: string; target_id: string; reason: string; note: string };

/** Inserts a report; undefined when the same person has an open one about the same target. */
export function insertReport(
  { db, id, now }: Change,
  report: NewReport,
  reporter_id: string,
): Promise<ReportRow | undefined> {
  return db.maybe<ReportRow>(sql`
    insert into abuse_reports (id, reporter_id, target_type, target_id, accused_id, reason, note, snapshot, created_at)
    values (${id('rpt')}, ${reporter_id}, ${report.target_type}, ${report.target_id}, ${report.accused_id},
            ${report.reason}, ${report.note}, ${JSON.stringify(report.snapshot)}::jsonb, ${now})
    on conflict (reporter_id, target_type, target_id) where state = 'open' do nothing returning *`);
}

/** The chats that a search covers: a named one, or those of the viewer's lists. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { mayOpenTranscript } from '../visibility/calls.ts';
import { mayOpenGroup } from '../visibility/groups.ts';
import { maySeeThread } from '../visibility/threads.ts';
import { row_by_row } from '../visibility/viewer.ts';
import { isWidgetAgent } from '../visibility/widgets.ts';

/** The named chat; kinds without one mean all of the viewer's chats. */
type NamedChats = { thread_id?: string; group_id?: string; conference_id?: string; widget_id?: string };

/** The groups that the viewer owns or has joined, before checking which of them they may open. */
const ownGroups = (viewer_id: string): Sql => sql`
  select id from groups where owner_id = ${viewer_id} and deleted_at is null
  union all
  select group_id from group_invites where user_id = ${viewer_id} and state = 'accepted'`;

const threadsOf = (viewer_id: string, thread_id: string | undefined): Sql => sql`
  select d.thread_id as id, d.peer_id from dm_members d
    cross join lateral (select o.* from users o where o.id = d.peer_id ${row_by_row}) u
  where ${thread_id === undefined ? sql`d.folder in ('main', 'requests')` : sql`d.thread_id = ${thread_id}`}
    and ${maySeeThread(viewer_id)}`;

const groupsOf = (viewer_id: string, group_id: string | undefined): Sql => sql`
  select g.id, null as peer_id from (${ownGroups(viewer_id)}) mine
    cross join lateral (select o.* from groups o where o.id = mine.id ${row_by_row}) g
    cross join lateral (select o.* from users o where o.id = g.owner_id ${row_by_row}) u
  where ${group_id === undefined ? sql`true` : sql`g.id = ${group_id}`} and ${mayOpenGroup(viewer_id)}`;

/** Only calls with chat messages: most have none. */
const callsOf = (viewer_id: string, conference_id: string | undefined): Sql => sql`
  select c.id, null as peer_id from call_participants p
    cross join lateral (select o.* from calls o where o.id = p.call_id ${row_by_row}) c
  where p.user_id = ${viewer_id} ${conference_id === undefined ? sql`` : sql`and p.call_id = ${conference_id}`}
    and exists (select 1 from call_messages m where m.call_id = p.call_id ${row_by_row}) and ${mayOpenTranscript(viewer_id)}`;

const widgetsOf = (viewer_id: string, widget_id: string | undefined): Sql => sql`
  select w.id, null as peer_id from (
    select id from widgets where owner_id = ${viewer_id} and deleted_at is null
    union
    select served.id from (${ownGroups(viewer_id)}) mine
      cross join lateral (select o.id from widgets o where o.group_id = mine.id and o.deleted_at is null ${row_by_row}) served) mine
    cross join lateral (select o.* from widgets o where o.id = mine.id ${row_by_row}) w
  where ${widget_id === undefined ? sql`true` : sql`w.id = ${widget_id}`} and ${isWidgetAgent(viewer_id)}`;

/** The chats of a viewer by kind, as statements that select `id` and, for threads, `peer_id`. */
export const searchedChats = (
  viewer_id: string,
  { thread_id, group_id, conference_id, widget_id }: NamedChats,
): { threads: Sql; groups: Sql; calls: Sql; widgets: Sql } => ({
  threads: threadsOf(viewer_id, thread_id),
  groups: groupsOf(viewer_id, group_id),
  calls: callsOf(viewer_id, conference_id),
  widgets: widgetsOf(viewer_id, widget_id),
});

/** Visibility of files: a file may be opened by everybody who may see something that it is attached to. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { mayReadCallMessage } from './calls.ts';
import { mayNameGroup, mayReadGroupMessage } from './groups.ts';
import { isActorVisible } from './people.ts';
import { mayPlayRecording } from './recordings.ts';
import { maySeeStatus } from './statuses.ts';
import { mayOpenTag } from './tags.ts';
import { mayReadDirectMessage } from './threads.ts';
import type { ViewerId } from './viewer.ts';
import { mayReadWidgetMessage } from './widgets.ts';

/**
 * The things that a file may be attached to, by type, and whether the viewer may see them. Each type is defined here
 * once.
 */
const maySeeUse = (viewer_id: ViewerId): Sql => sql`
  case fu.subject_type
    when 'status' then exists (
      select 1 from statuses s join users u on u.id = s.author_id left join tags t on t.id = s.tag_id
      where s.id = fu.subject_id and ${maySeeStatus(viewer_id)})
    when 'tag' then exists (
      select 1 from tags t join users u on u.id = t.owner_id where t.id = fu.subject_id and ${mayOpenTag(viewer_id)})
    when 'call_message' then exists (
      select 1 from call_messages m where m.id = fu.subject_id and ${mayReadCallMessage(viewer_id)})
    when 'chat_message' then exists (
      select 1 from chat_messages m where m.id = fu.subject_id and case when m.group_id is null
        then ${mayReadWidgetMessage(viewer_id)} else ${mayReadGroupMessage(viewer_id)} end)
    when 'recording' then exists (
      select 1 from recordings r where r.id = fu.subject_id and ${mayPlayRecording(viewer_id)})
    when 'inbox_message' then exists (
      select 1 from inbox_messages m where m.id = fu.subject_id and m.user_id = ${viewer_id}
        and (m.from_user_id is null or ${isActorVisible(viewer_id, 'm.from_user_id')}))
    when 'dm_message' then exists (
      select 1 from dm_messages m where m.id = fu.subject_id and ${mayReadDirectMessage(viewer_id)})
    when 'group' then exists (
      select 1 from groups g join users u on u.id = g.owner_id where g.id = fu.subject_id and ${mayNameGroup(viewer_id)})
    else false
  end`;

/** Nobody may open file `fi`, whatever it is attached to. */
export const isWithdrawn: Sql = sql`coalesce(fi.unused_since, 'infinity') = '-infinity'`;

/**
 * The viewer may open file `fi`: as its owner, or because they may see something that it is attached to; nobody may
 * open a withdrawn file. A deleted or suspended account may open nothing, not even by addresses that it received before.
 */
export const mayOpenFile = (viewer_id: ViewerId): Sql => sql`(
  not ${isWithdrawn}
  and (fi.owner_id = ${viewer_id} or exists (select 1 from file_uses fu where fu.file_id = fi.id and ${maySeeUse(viewer_id)}))
  and not exists (
    select 1 from users v where v.id = ${viewer_id} and (v.deleted_at is not null or v.suspended_at is not null)))`;

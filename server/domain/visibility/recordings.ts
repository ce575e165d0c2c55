/** Who may play a recording. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { isThereFor } from './people.ts';
import type { ViewerId } from './viewer.ts';

/** Who may hear recording `r`: who was in the call while it ran and has not taken it from their list, and whoever started it. */
export const mayHearRecording = (viewer_id: ViewerId): Sql => sql`(
  ${isThereFor(viewer_id, 'r.started_by')}
  and not exists (select 1 from recordings_hidden h where h.recording_id = r.id and h.user_id = ${viewer_id})
  and (r.started_by = ${viewer_id} or exists (
    select 1 from call_participants v where v.call_id = r.call_id and v.user_id = ${viewer_id}
      and v.joined_at <= coalesce(r.ended_at, 'infinity') and coalesce(v.left_at, 'infinity') >= r.started_at)))`;

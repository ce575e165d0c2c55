/** Visibility of recordings. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { isActorVisible } from './people.ts';
import type { ViewerId } from './viewer.ts';

/**
 * The viewer may play recording `r`: they were in the call while it ran, and were not removed from it meanwhile, or started it;
 * and they have not removed it from their list.
 */
export const mayPlayRecording = (viewer_id: ViewerId): Sql => sql`exists (
  select 1 from recording_listeners l where l.recording_id = r.id and ${isListenerOf(viewer_id)})`;

/** Row `l` of the listeners of recording `r` belongs to the viewer. */
export const isListenerOf = (viewer_id: ViewerId): Sql =>
  sql`l.user_id = ${viewer_id} and not l.hidden and ${isActorVisible(viewer_id, 'r.started_by')}`;

/** Who may play a recording. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { isThereFor } from './people.ts';
import type { ViewerId } from './viewer.ts';

/** Who may hear recording `r`: who was in the call while it ran, and whoever started it, unless they took it from their list. */
export const mayHearRecording = (viewer_id: ViewerId): Sql => sql`exists (
  select 1 from recording_listeners l where l.recording_id = r.id and ${isListenerOf(viewer_id)})`;

/** Row `l` of the listeners of recording `r` lets the viewer hear it. */
export const isListenerOf = (viewer_id: ViewerId): Sql =>
  sql`l.user_id = ${viewer_id} and not l.hidden and ${isThereFor(viewer_id, 'r.started_by')}`;

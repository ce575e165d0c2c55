import { presentRecording, Recording, selectRecordings } from '../../domain/calls/recording/recordings.ts';
import { isListenerOf } from '../../domain/visibility/recordings.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';

export const listRecordings = endpoint({
  id: 'listRecordings',
  route: 'GET /recordings',
  summary: 'List recordings',
  description: 'Recordings of calls in which you took part while they were recorded.',
  query: PageQuery('rec'),
  reply: listOf(Recording),
  async run({ caller, query, db, services, now }) {
    const { user_id } = caller;
    const rows = await selectRecordings(
      db,
      sql`r.id in (
        select l.recording_id from recording_listeners l join recordings r on r.id = l.recording_id
        where ${isListenerOf(user_id)} ${pageOf(query, 'l.recording_id')})
        order by r.id desc`,
    );
    const viewer = viewerOf({ caller, services, now });
    return toPage(rows, query, (row) => presentRecording(row, viewer));
  },
});

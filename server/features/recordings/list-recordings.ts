import { presentRecording, Recording } from '../../domain/calls/recording/recordings.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageQuery, toPage } from '../../kernel/page.ts';
import { idOf, listOf, object, optional } from '../../kernel/schema.ts';
import { selectPlayable } from './queries.ts';

export const listRecordings = endpoint({
  id: 'listRecordings',
  route: 'GET /recordings',
  summary: 'List your recordings',
  description: 'Recordings of calls in which you took part while they were recorded; of one call with `conference_id`.',
  query: object({ ...pageQuery('rec'), conference_id: optional(idOf('conf')) }),
  reply: listOf(Recording),
  async run({ caller, query, db, services, now }) {
    const { user_id } = caller;
    const rows = await selectPlayable(db, user_id, query);
    const viewer = viewerOf({ caller, services, now });
    return toPage(rows, query, (row) => presentRecording(row, viewer));
  },
});

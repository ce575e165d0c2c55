import { selectCallMessages } from '../../domain/chat/call-chat.ts';
import { ChatMessage, presentMessage } from '../../domain/chat/messages.ts';
import { mayReadCallMessage } from '../../domain/visibility/calls.ts';
import { areTogether, isThereFor } from '../../domain/visibility/people.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { idOf, listOf, object } from '../../kernel/schema.ts';

export const listCallTranscript = endpoint({
  id: 'listCallTranscript',
  route: 'GET /call-history/{conference_id}/chat',
  summary: 'List the chat of a past call',
  description: 'For those who were in the call.',
  path: object({ conference_id: idOf('conf') }),
  query: PageQuery('chat'),
  reply: listOf(ChatMessage),
  async run({ caller, path, query, db, services, now }) {
    const { user_id } = caller;
    found(
      await db.maybe(sql`
        select 1 from call_participants v join calls c on c.id = v.call_id
        where v.call_id = ${path.conference_id} and v.user_id = ${user_id} and (v.joined_at is not null or c.started_by = v.user_id)
          and ${isThereFor(user_id, 'c.started_by')} and ${isThereFor(user_id, 'c.host_id')}`),
    );
    const rows = await selectCallMessages(
      db,
      sql`m.call_id = ${path.conference_id} and ${mayReadCallMessage(user_id)}
        and (m.author_id is null or ${areTogether(user_id, 'm.author_id')}) ${pageOf(query, 'm.id')}`,
      user_id,
    );
    const viewer = viewerOf({ caller, services, now });
    return toPage(rows, query, (row) => presentMessage(row, viewer));
  },
});

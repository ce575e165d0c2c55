import { presentThread, Thread } from '../../domain/messages/threads.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idPattern } from '../../kernel/id.ts';
import { offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import { selectThreadPage } from './rules/thread-queries.ts';
import { folders } from './schemas.ts';

export const listThreads = endpoint({
  id: 'listThreads',
  route: 'GET /dm/threads',
  summary: 'List your threads',
  description: 'Pinned threads first, then by the most recent message.',
  query: object({
    folder: optional({
      ...oneOf(...folders),
      description:
        '`requests`: waiting for your answer; `declined`: requests you declined; `main`: all others. By default `main` and `requests`.',
    }),
    archived: optional(Type.Boolean({ description: 'Archived threads only; without it, all others.' })),
    ...offsetQuery,
    before_id: optional(
      Type.String({
        pattern: `${idPattern('thr')}|${idPattern('dm')}`,
        description:
          'Only items older than this thread, or than this `last_message`; the latter remains exact when the thread has moved up in the meantime.',
      }),
    ),
  }),
  reply: listOf(Thread),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await selectThreadPage(db, query, viewer.id);
    return toPage(rows, query, (row) => presentThread(row, viewer));
  },
});

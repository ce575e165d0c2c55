import { presentUser } from '../../domain/accounts/accounts.ts';
import { presentFile } from '../../domain/files/files.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { toPage } from '../../kernel/page.ts';
import { listOf, object } from '../../kernel/schema.ts';
import { wireTimeOf } from '../../kernel/time.ts';
import { selectPinned } from './queries.ts';
import { chatPageQuery, requireChat } from './rules/chat-page.ts';
import { PinnedMessage } from './schemas.ts';

export const listPinnedMessages = endpoint({
  id: 'listPinnedMessages',
  route: 'GET /messages/pinned',
  summary: 'List the pinned messages of a chat',
  description: 'Of a thread or a group, newest first.',
  extension: true,
  query: object(chatPageQuery),
  reply: listOf(PinnedMessage),
  errors: ['not_found'],
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await selectPinned(db, requireChat(query), viewer, query);
    return toPage(rows, query, ({ id, author, body, files, created_at }) => ({
      id,
      author: author && presentUser(author, viewer),
      body,
      files: files.map((file) => presentFile(file, viewer)),
      created_at: wireTimeOf(created_at),
    }));
  },
});

import { presentUser } from '../../domain/accounts/accounts.ts';
import { isPictureFile, media_kinds, type MediaKind } from '../../domain/chat/message-media.ts';
import { presentFile } from '../../domain/files/files.ts';
import { viewerOf, type Viewer } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { toPage } from '../../kernel/page.ts';
import { listOf, object, oneOf } from '../../kernel/schema.ts';
import { wireTimeOf } from '../../kernel/time.ts';
import { selectMedia, type ListedRow } from './queries.ts';
import { chatPageQuery, requireChat } from './rules/chat-page.ts';
import { ChatMedia } from './schemas.ts';

const presentMedia = ({ id, author, body, files, created_at }: ListedRow, kind: MediaKind, viewer: Viewer) => ({
  id,
  author: author && presentUser(author, viewer),
  body,
  files: files
    .filter((file) => (kind === 'links' ? false : isPictureFile(file) === (kind === 'media')))
    .map((file) => presentFile(file, viewer)),
  created_at: wireTimeOf(created_at),
});

export const listChatMedia = endpoint({
  id: 'listChatMedia',
  route: 'GET /messages/media',
  summary: 'List the media of a chat',
  description:
    'The messages of a thread or a group with pictures and videos (`media`), other files (`documents`) or web addresses (`links`), newest first.',
  extension: true,
  query: object({ kind: oneOf(...media_kinds), ...chatPageQuery }),
  reply: listOf(ChatMedia),
  errors: ['not_found'],
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const { kind } = query;
    const rows = await selectMedia(db, requireChat(query), viewer, kind, query);
    return toPage(rows, query, (row) => presentMedia(row, kind, viewer));
  },
});

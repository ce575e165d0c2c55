import { presentUser } from '../../domain/accounts/accounts.ts';
import { isPictureFile, media_kinds, type MediaKind } from '../../domain/chat/message-media.ts';
import { presentFile } from '../../domain/files/files.ts';
import { viewerOf, type Viewer } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { isId } from '../../kernel/id.ts';
import { offsetQuery, toPage } from '../../kernel/page.ts';
import { idOf, listOf, object, oneOf, optional } from '../../kernel/schema.ts';
import { wireTimeOf } from '../../kernel/time.ts';
import { selectMediaOfGroup, selectMediaOfThread, type MediaRow } from './queries.ts';
import { ChatMedia, MessageId } from './schemas.ts';

const presentMedia = ({ id, author, body, files, created_at }: MediaRow, kind: MediaKind, viewer: Viewer) => ({
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
  query: object({
    kind: oneOf(...media_kinds),
    thread_id: optional({ ...idOf('thr'), description: 'Of this thread.' }),
    group_id: optional({ ...idOf('grp'), description: 'Of the chat of this group.' }),
    ...offsetQuery,
    before_id: optional({ ...MessageId, description: 'Only items older than this one.' }),
  }),
  reply: listOf(ChatMedia),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const { kind, thread_id, group_id, ...page } = query;
    if (thread_id !== undefined && group_id !== undefined)
      invalid({ group_id: 'cannot be used together with thread_id' });
    const { before_id } = page;
    const is_there = before_id === undefined || isId(thread_id === undefined ? 'chat' : 'dm', before_id);
    if (!is_there) invalid({ before_id: 'is not a message in this chat' });
    const read = () => {
      if (thread_id !== undefined) return selectMediaOfThread(db, thread_id, viewer, kind, page);
      return group_id === undefined
        ? invalid({ thread_id: 'is required unless group_id is given' })
        : selectMediaOfGroup(db, group_id, viewer, kind, page);
    };
    return toPage(await read(), page, (row) => presentMedia(row, kind, viewer));
  },
});

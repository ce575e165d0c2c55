import {
  insertGroupMessage,
  requireGroupMembership,
  requireReplyTargetInGroup,
  selectOthers,
} from '../../domain/chat/group-chats.ts';
import {
  attachOwnFiles,
  chatBody,
  ChatMessage,
  chatMessage,
  presentMessage,
  requireContent,
} from '../../domain/chat/messages.ts';
import { shareFiles } from '../../domain/files/files.ts';
import { mentionsAmong, notifyMentionedMembers } from '../../domain/chat/group-mentions.ts';
import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { Forward, readForwardedMessage } from '../../domain/messages/forwarding.ts';
import { pushTo } from '../../domain/notifications/push.ts';
import { resolvePeople, usernamesIn } from '../../domain/social/mentions.ts';
import { lockNamedPairs } from '../../domain/visibility/pairs.ts';
import { everyone, viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { object, optional } from '../../kernel/schema.ts';
import { pushGroupMessage } from './jobs.ts';
import { GroupPath } from './schemas.ts';
import { selectWritten } from './queries.ts';

export const postGroupChat = endpoint({
  id: 'postGroupChat',
  route: 'POST /groups/{group_id}/chat',
  summary: 'Post a message in a group',
  description:
    'Text, files, or both. A member whom the text names as `@username`, and who may read it, is mentioned and notified; a forwarded text mentions nobody.',
  throttle: 'chat',
  path: GroupPath,
  body: object({ ...chatBody, forward: optional(Forward) }),
  reply: ChatMessage,
  status: [201],
  is_transactional: true,
  async run({ path, body, ...change }) {
    const { db, id, emit } = change;
    const viewer = viewerOf(change);
    const { forward, ...own } = body;
    const content = forward ? await readForwardedMessage(db, viewer.id, forward, own) : requireContent(own);
    // The author of a forwarded text did not mention the members of this group.
    const usernames = forward ? [] : usernamesIn(content.body);
    // Locked, so that nobody joins or leaves meanwhile and unread counts stay correct. The statements share a round
    // trip.
    const [, , place, others, named] = await Promise.all([
      lockNamedPairs(db, viewer.id, { usernames }),
      lockGroup(db, path.group_id),
      requireGroupMembership(db, path.group_id, viewer.id),
      selectOthers(change, path.group_id, viewer.id),
      resolvePeople(db, usernames, viewer.id),
    ]);
    // Created while the group is locked, so that it follows what others have read and cleared.
    const message = { ...content, id: id('chat'), forwarded: forward !== undefined };
    const members = mentionsAmong(named, others);
    const reply_to_id = await requireReplyTargetInGroup(db, place, viewer.id, body.reply_to);
    const files_of = { type: 'chat_message' as const, id: message.id };
    if (!forward) await attachOwnFiles(change, files_of, { owner_id: viewer.id, ...content });
    const [, , row] = await Promise.all([
      insertGroupMessage(change, place, viewer.id, { ...message, ...members, reply_to_id }, others),
      forward ? shareFiles(change, files_of, content.file_ids) : undefined,
      selectWritten(db, message.id, viewer.id),
    ]);
    const written = found(row);
    const shown = presentMessage(written, everyone(viewer));
    const topics = [viewer.id, ...others.recipients].map((one) => `user:${one}` as const);
    emit(chatMessage, topics, { group_id: path.group_id, message: shown });
    const subject = { type: 'group', id: path.group_id };
    const mention = { group_id: path.group_id, message_id: message.id, author_id: viewer.id };
    await Promise.all([
      pushTo(change, others.alerted, { job: pushGroupMessage, payload: { message_id: message.id }, subject }),
      notifyMentionedMembers(change, mention, members.mentioned, others.alerted),
    ]);
    return presentMessage(written, viewer);
  },
});

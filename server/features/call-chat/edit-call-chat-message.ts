import { lockCallMessage } from '../../domain/chat/call-chat.ts';
import { editMessage } from '../../domain/chat/message-actions.ts';
import { EditBody } from '../../domain/chat/reactions-and-edits.ts';
import { ChatMessage } from '../../domain/chat/messages.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { CallMessagePath } from './schemas.ts';

export const editCallChatMessage = endpoint({
  id: 'editCallChatMessage',
  route: 'PATCH /calls/{join_code}/chat/{message_id}',
  summary: 'Edit your message in a call',
  description:
    'Within 15 minutes, even after the call has ended. All readers of the message can see its earlier versions.',
  gate: 'guest',
  extension: true,
  throttle: 'chat',
  path: CallMessagePath,
  body: EditBody,
  reply: ChatMessage,
  errors: ['forbidden', 'edit_closed'],
  async run({ path, body, ...change }) {
    const viewer = viewerOf(change);
    const locked = await lockCallMessage(change.db, path, viewer.id);
    return editMessage(change, locked, viewer, body.body);
  },
});

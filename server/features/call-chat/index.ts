import { deleteReactionsOf } from '../../domain/chat/reactions-and-edits.ts';
import { feature } from '../../kernel/endpoint.ts';
import { deleteCallChatMessage } from './delete-call-chat-message.ts';
import { editCallChatMessage } from './edit-call-chat-message.ts';
import { listCallChatMessageEdits } from './list-call-chat-message-edits.ts';
import { setCallChatReaction } from './set-call-chat-reaction.ts';
import { setCallTyping } from './set-call-typing.ts';

export const callChat = feature({
  area: 'call-chat',
  title: 'Calls and grid',
  endpoints: [editCallChatMessage, deleteCallChatMessage, setCallChatReaction, listCallChatMessageEdits, setCallTyping],
  lifecycle: { purgeAccount: ({ db }, user_id, portion) => deleteReactionsOf(db, 'call', user_id, portion) },
});

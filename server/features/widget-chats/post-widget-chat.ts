import { consumeGuestChat } from '../../domain/chat/guest-budgets.ts';
import {
  chatBody,
  ChatMessage,
  chatMessage,
  presentMessage,
  requireContent,
  attachOwnFiles,
} from '../../domain/chat/messages.ts';
import {
  recipientsOf,
  insertWidgetMessage,
  requireConversation,
  requireReplyTargetInWidget,
  requireWidgetRole,
  selectAgents,
  selectWidgetMessage,
} from '../../domain/chat/widget-chats.ts';
import { shareFiles } from '../../domain/files/files.ts';
import { Forward, readForwardedMessage } from '../../domain/messages/forwarding.ts';
import { pushTo } from '../../domain/notifications/push.ts';
import { everyone, viewerOf } from '../../domain/visibility/viewer.ts';
import { isGuest } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found, invalid } from '../../kernel/errors.ts';
import { idOf, object, optional } from '../../kernel/schema.ts';
import { pushWidgetMessage } from './jobs.ts';
import { WidgetPath } from './schemas.ts';

export const postWidgetChat = endpoint({
  id: 'postWidgetChat',
  route: 'POST /widgets/{widget_id}/chat',
  summary: 'Post a message in a widget',
  description: 'A guest writes to the owner; the owner to one guest, or a notice to all.',
  gate: 'guest',
  throttle: 'chat',
  path: WidgetPath,
  body: object({ ...chatBody, guest_id: optional(idOf('gst')), forward: optional(Forward) }),
  reply: ChatMessage,
  status: [201],
  async run({ path, body, consume, origin, ...change }) {
    const { db, id, emit, caller } = change;
    const viewer = viewerOf(change);
    const { forward, guest_id: named, ...own } = body;
    if (isGuest(caller)) {
      if (forward) invalid({ forward: 'is not available to guests' });
      await consumeGuestChat({ consume, origin }, caller);
    }
    const content = forward ? await readForwardedMessage(db, viewer.id, forward, own) : requireContent(own);
    const place = await requireWidgetRole(db, path.widget_id, caller);
    const guest_id = await requireConversation(db, place, named);
    const author_id = isGuest(caller) ? null : caller.user_id;
    const [reply_to_id, { recipients, blocked }] = await Promise.all([
      requireReplyTargetInWidget(db, place, viewer.id, guest_id, body.reply_to),
      selectAgents(db, place, author_id),
    ]);
    const forwarded = forward !== undefined;
    const message = { ...content, id: id('chat'), reply_to_id, forwarded, author_id, guest_id, hidden_from: blocked };
    const files_of = { type: 'chat_message' as const, id: message.id };
    if (!forwarded) await attachOwnFiles(change, files_of, { owner_id: viewer.id, ...content });
    const [, , row] = await Promise.all([
      insertWidgetMessage(change, place.widget_id, message),
      forwarded ? shareFiles(change, files_of, content.file_ids) : undefined,
      selectWidgetMessage(db, place, viewer.id, message.id),
    ]);
    const written = found(row);
    const shown = presentMessage(written, everyone(viewer));
    const whose = guest_id === null ? {} : { guest_id };
    emit(chatMessage, recipientsOf(place.widget_id, guest_id, recipients), {
      widget_id: place.widget_id,
      ...whose,
      message: shown,
    });
    const pushed = recipients.filter((one) => one !== author_id);
    const subject = { type: 'widget', id: place.widget_id };
    await pushTo(change, pushed, { job: pushWidgetMessage, payload: { message_id: message.id }, subject });
    return presentMessage(written, viewer);
  },
});

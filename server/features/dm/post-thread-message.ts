import { shareFiles, attachFiles } from '../../domain/files/files.ts';
import { consumeFirstContact } from '../../domain/visibility/stranger-limits.ts';
import { notify } from '../../domain/notifications/notify.ts';
import { clearNotifications } from '../../domain/notifications/clear-notifications.ts';
import { Forward, readForwarded, type Forwarded } from '../../domain/messages/forwarding.ts';
import { selectSides, emitMessage, emitThread } from '../../domain/messages/threads.ts';
import { DirectMessage, presentDirectMessage, type DirectMessageRow } from '../../domain/messages/direct-messages.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found, invalid } from '../../kernel/errors.ts';
import { idOf, object, optional, visibleText } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { decideTransition, type ThreadTransition } from './rules/message-request.ts';
import { open_threads, openThreadOf, plainMessage, pushMessage, writeFromCache } from './rules/open-threads.ts';
import {
  insertMessage,
  lockForWriting,
  sidesAfterMessage,
  requireReplyTarget,
  type NewMessage,
  type WriterThread,
} from './queries.ts';
import { Media, ThreadPath } from './schemas.ts';

/** @throws ApiError `validation_failed` that names `body` for an empty message */
function requireContent({ body, media = [] }: { body?: string; media?: string[] }): Forwarded {
  if (body === undefined && media.length === 0) invalid({ body: 'is required unless media is given' });
  return { body: body ?? '', file_ids: media };
}

type Writing = { thread: WriterThread; transition: ThreadTransition; message: NewMessage; media: string[] };

/**
 * Inserts a message with its files, and emits it. A text message in an active thread is presented from the request;
 * anything else is read from the database again.
 */
async function writeMessage(
  change: Change,
  { thread, transition, message, media }: Writing,
): Promise<DirectMessageRow> {
  const { db, now } = change;
  const is_plain = media.length === 0 && thread.has_messages && !transition.decided;
  const files_of = { type: 'dm_message' as const, id: message.id };
  const inserted = insertMessage(change, thread, message, transition, media);
  if (is_plain) change.awaitAtCommit(inserted);
  const [, , sides] = await Promise.all([
    is_plain ? undefined : inserted,
    message.forwarded
      ? shareFiles(change, files_of, media)
      : attachFiles(change, files_of, { owner_id: thread.user_id, file_ids: media }),
    is_plain ? undefined : selectSides(db, thread.id, thread.user_id),
  ]);
  const written = sides ? found(sides[0].last_message ?? undefined) : plainMessage(thread, message, now);
  if (sides && (!thread.has_messages || transition.decided)) emitThread(change, sides);
  emitMessage(change, sidesAfterMessage(thread, transition), written);
  return written;
}

/** Notifies the peer of a request, or pushes a message of an active thread to their devices. */
async function notifyPeer(
  change: Change,
  thread: WriterThread,
  transition: ThreadTransition,
  message_id: string,
): Promise<void> {
  if (transition.state === 'pending') {
    // All requests share one notification without a push, so that strangers cannot alert a device.
    const subject = { type: 'user' as const, id: thread.peer_id };
    const occasion = { to: thread.peer_id, subject, actor_id: thread.user_id, source_id: thread.id, quiet: true };
    await notify(change, { kind: 'message_request', ...occasion });
    return;
  }
  if (transition.decided) await clearNotifications(change, [thread.id]);
  pushMessage(change, thread, message_id);
}

export const postThreadMessage = endpoint({
  id: 'postThreadMessage',
  route: 'POST /dm/threads/{thread_id}/chat',
  summary: 'Post a message in a thread',
  description: 'Text, media, or both. To someone who has not accepted yet: one text message.',
  path: ThreadPath,
  body: object({
    body: optional(visibleText(1, 4000)),
    media: optional(Media),
    reply_to: optional(idOf('dm')),
    forward: optional(Forward),
  }),
  reply: DirectMessage,
  status: [201],
  is_transactional: true,
  errors: ['forbidden', 'account_deleted', 'thread_pending'],
  async run({ path, body, consume, ...change }) {
    const { db, id } = change;
    const viewer = viewerOf(change);
    const { forward, ...own } = body;
    const words = forward ? undefined : requireContent(own);
    const place = `${path.thread_id} ${viewer.id}`;
    const is_text = words && words.file_ids.length === 0 && !body.reply_to;
    const open = is_text && !change.is_retry && open_threads.get(change.services, place);
    if (open) return writeFromCache(change, open, words.body);
    const thread = await lockForWriting(db, path.thread_id, viewer.id);
    const next = openThreadOf(thread);
    if (next) open_threads.set(change.services, place, next);
    if (thread.peer_gone) fail('account_deleted', { message: 'This account was deleted.' });
    const transition = decideTransition(thread);
    const sent = words ?? (await readForwarded(db, viewer.id, found(forward), own));
    const media = sent.file_ids;
    if (transition.state === 'pending' && media.length > 0)
      invalid({ [forward ? 'forward' : 'media']: 'is not allowed until they accept your request' });
    if (transition.state === 'pending') await consumeFirstContact({ consume }, viewer.id);
    const reply_to_id = await requireReplyTarget(db, thread, body.reply_to);
    const forwarded = forward !== undefined;
    const message = { id: id('dm'), body: sent.body, media_count: media.length, reply_to_id, forwarded };
    const written = await writeMessage(change, { thread, transition, message, media });
    await notifyPeer(change, thread, transition, message.id);
    return presentDirectMessage(written, viewer);
  },
});

import { presentUser, PublicUser, requireAccount } from '../../domain/accounts/accounts.ts';
import { attachFiles } from '../../domain/files/files.ts';
import { deliverToInbox } from '../../domain/inbox/inbox.ts';
import { consumeFirstContact } from '../../domain/visibility/stranger-limits.ts';
import { transcribeMessage } from '../../domain/messages/transcripts.ts';
import { discardUpload, storeUpload, stageUpload } from '../../domain/files/uploads.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import type { Queryable } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found, invalid, refusalText } from '../../kernel/errors.ts';
import { component, idOf, moment, object, oneOf, optional, text, Type } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { recordSent, selectRecipient, type Recipient } from './queries.ts';

/** The maximum duration of a message, in seconds. */
const max_duration_s = 180;

const SentMail = component(
  'SentMail',
  object({ id: idOf('msg'), kind: oneOf('voicemail', 'videomail'), to: PublicUser, created_at: moment }),
);

export const sendVideomail = endpoint({
  id: 'sendVideomail',
  route: 'POST /videomail/{handle}',
  summary: 'Send a videomail',
  description: 'Video or audio for the person behind a tag or username.',
  kind: 'optional_upload',
  path: object({
    handle: Type.String({ pattern: '^[A-Za-z0-9_.-]{2,32}$', description: 'A tag name or a username.' }),
  }),
  body: object({
    body: optional(text(0, 2000, 'As JSON, without a file: the message itself, as text.')),
    conference_id: optional({
      ...idOf('conf'),
      description: 'The call they missed: this message replaces the missed call in the inbox.',
    }),
  }),
  reply: SentMail,
  status: [201],
  errors: ['forbidden', 'self_not_allowed', 'thread_pending', 'plan_limit_reached'],
  async prepare({ caller, path, body, file, now, services }) {
    if (!file) {
      if (!body.body?.trim()) invalid({ file: 'is required unless a text body is given' });
      await requireRecipient(services.db, path.handle, caller.user_id, body.conference_id, now);
      return undefined;
    }
    const staged = await stageUpload(services, caller.user_id, file);
    const { kind, duration_s = 0 } = staged.examined;
    const is_playable = kind === 'audio' || kind === 'video';
    const problem = is_playable ? undefined : refusalText('is not playable audio or video');
    const is_long = duration_s > max_duration_s && refusalText(`is longer than ${max_duration_s} seconds`);
    if (problem || is_long) {
      await discardUpload(services, staged);
      invalid({ file: problem || is_long || '' });
    }
    // Checked last, to report errors of the request before errors of its target; the transaction checks it again.
    await requireRecipient(services.db, path.handle, caller.user_id, body.conference_id, now).catch(
      async (refusal: unknown) => {
        await discardUpload(services, staged);
        throw refusal;
      },
    );
    return staged;
  },
  discard: async (staged, services) => {
    if (staged) await discardUpload(services, staged);
  },
  async run({ caller, path, body, prepared, consume, ...change }) {
    const { db, now } = change;
    const { user_id } = caller;
    const { id } = await requireRecipient(db, path.handle, user_id, body.conference_id, now);
    await lockPair(db, user_id, id);
    const recipient = await requireRecipient(db, path.handle, user_id, body.conference_id, now);
    const is_first_contact = !recipient.knows && !recipient.missed;
    if (is_first_contact) await consumeFirstContact({ consume }, user_id);
    const file = prepared && (await storeUpload(change, prepared));
    const sender = await requireAccount(db, user_id);
    const kind = kindOf(file);
    const [message_id = ''] = await deliverToInbox(change, [
      {
        user_id: recipient.id,
        kind,
        from: { user_id, name: sender.display_name },
        body: body.body ?? '',
        ...(file ? { file_id: file.id } : {}),
        ...(recipient.missed && body.conference_id ? { call_id: body.conference_id } : {}),
        // A stranger's first message sends no push.
        quiet: is_first_contact,
      },
    ]);
    await recordSent(change, user_id, recipient.id, !recipient.knows);
    if (file) {
      await attachFiles(change, { type: 'inbox_message', id: message_id }, { owner_id: user_id, file_ids: [file.id] });
      // Above the budget of the sender it has no transcript, unless the recipient asks for one. One at a time: recognising
      // speech takes as long as it lasts, and other jobs of its lane must not wait for it.
      if (await change.services.throttle.tryConsume('transcript', user_id, Math.ceil(file.duration_s ?? 1)))
        change.enqueue(transcribeMessage, { message_id }, { key: `transcribe:${message_id}`, queue: 'speech' });
    }
    return { id: message_id, kind, to: presentUser(recipient, change), created_at: wireTime(now) };
  },
});

/** The kind of message: video, or else audio or text. */
const kindOf = (file: { kind: string } | undefined) =>
  file?.kind === 'video' ? ('videomail' as const) : ('voicemail' as const);

/**
 * The recipient, if they may be sent a message now. A stranger may leave one message, and another when that has been
 * answered.
 * @throws ApiError `not_found`, `forbidden` when their reach excludes the sender, `thread_pending`
 */
async function requireRecipient(
  db: Queryable,
  handle: string,
  sender_id: string,
  call_id: string | undefined,
  now: Date,
): Promise<Recipient> {
  const recipient = found(await selectRecipient(db, handle, sender_id, call_id, now));
  if (recipient.id === sender_id) fail('self_not_allowed', { message: 'You cannot send this to yourself.' });
  // A call by a stranger causes at most one push.
  if (recipient.missed && (recipient.knows || !recipient.has_left)) return recipient;
  if (!recipient.reached) fail('forbidden', { message: 'You cannot send messages to this person.' });
  if (!recipient.knows && recipient.is_waiting)
    fail('thread_pending', {
      message: 'Wait for them to accept your request before you send another message.',
    });
  return recipient;
}

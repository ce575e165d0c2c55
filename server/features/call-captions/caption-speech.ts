import { callCaption } from '../../domain/calls/state/call-events.ts';
import { JoinCode } from '../../domain/calls/state/calls.ts';
import { recipients, requireInCall } from '../../domain/chat/call-chat.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { createFairQueue, createQueues } from '../../kernel/load/fair-queue.ts';
import { examine } from '../../kernel/media/media.ts';
import { component, object, Type } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';

/** The maximum duration of a piece of speech, and of its recognition: later captions are useless. */
const max_duration_s = 15;
const timeout_ms = 12_000;
/** The maximum of concurrent recognitions, in all and per account. There is no queue: late captions are useless. */
const limits = { running: 8, running_per_account: 3, waiting: 0 };
const max_letters = 500;

const CallCaption = component(
  'CallCaption',
  object({ text: Type.String({ description: 'What was recognised; empty for silence.' }) }),
);

/** The recognitions in progress, by engine. */
const queueOf = createQueues<Services['speech'], []>(() =>
  createFairQueue(limits, () => fail('unavailable', { cause: 'too many captions', retry_after_s: 5 })),
);

/** The text of a piece of speech; empty when nothing was recognised. */
async function recognise({ speech }: Services, account_id: string, bytes: Uint8Array, type: string): Promise<string> {
  const recognised = await queueOf(speech).run(account_id, () =>
    speech
      .transcribe(bytes, type, { phrases: [], timeout_ms })
      .catch((cause: unknown) => fail('unavailable', { cause, retry_after_s: 5 })),
  );
  return (recognised?.text ?? '').trim().slice(0, max_letters);
}

export const captionSpeech = endpoint({
  id: 'captionSpeech',
  route: 'POST /calls/{join_code}/captions',
  summary: 'Caption your speech in a call',
  description:
    'Up to 15 seconds of your own voice. The text is sent to all current participants as `call.caption`; neither audio nor text is stored.',
  extension: true,
  idempotent: false,
  kind: 'upload',
  max_file_bytes: 512 * 1024,
  throttle: 'caption',
  path: object({ join_code: JoinCode }),
  reply: CallCaption,
  errors: ['not_in_call', 'unavailable'],
  async prepare({ caller, path, file, services }) {
    const { speech, decoder, transcoder, db } = services;
    if (speech.is_absent)
      fail('unavailable', { message: 'Speech recognition is not available on this service.', cause: 'no engine' });
    await requireInCall(db, path.join_code, caller.user_id);
    const { bytes } = file ?? invalid({ file: 'is required' });
    if (bytes.length === 0) invalid({ file: 'is empty' });
    const audio = await decoder.use(caller.user_id, (decode) => examine(bytes, decode, transcoder));
    if (audio.kind !== 'audio' && audio.kind !== 'video') invalid({ file: 'is not playable audio' });
    if ((audio.duration_s ?? 0) > max_duration_s) invalid({ file: `is longer than ${max_duration_s} seconds` });
    return recognise(services, caller.user_id, bytes, audio.content_type);
  },
  async run({ caller, path, prepared: text, db, services, afterCommit }) {
    // Participants may have left or joined meanwhile.
    const { call, participant } = await requireInCall(db, path.join_code, caller.user_id);
    const people = recipients(call).map((topic) => topic.slice('user:'.length));
    const caption = { join_code: call.join_code, participant_id: participant.id, text };
    if (text !== '') afterCommit(() => services.broadcast(callCaption, people, caption));
    return { text };
  },
});

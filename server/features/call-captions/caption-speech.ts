import { callCaption } from '../../domain/calls/call-events.ts';
import { JoinCode } from '../../domain/calls/calls.ts';
import { hearers, requirePresence } from '../../domain/chat/call-chat.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { examine } from '../../kernel/media/media.ts';
import { component, object, Type } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';

/** How long one piece of speech may be, and how long its words may take to be made out: later nobody reads them. */
const max_duration_s = 15;
const timeout_ms = 12_000;
/** How many pieces a node may have in hand at once: what comes beyond is not written, so that captions stay near what is said. */
const max_waiting = 8;
const max_letters = 500;

const CallCaption = component(
  'CallCaption',
  object({ text: Type.String({ description: 'What was made out; empty for silence.' }) }),
);

/** How many pieces wait for each engine. */
const waiting = new WeakMap<Services['speech'], number>();

async function makeOut({ speech }: Services, bytes: Uint8Array, content_type: string): Promise<string> {
  const count = waiting.get(speech) ?? 0;
  if (count >= max_waiting) fail('unavailable', { cause: 'too many captions', retry_after_s: 5 });
  waiting.set(speech, count + 1);
  try {
    const heard = await speech.transcribe(bytes, content_type, { phrases: [], timeout_ms });
    return (heard?.text ?? '').trim().slice(0, max_letters);
  } catch (cause) {
    return fail('unavailable', { cause, retry_after_s: 5 });
  } finally {
    waiting.set(speech, (waiting.get(speech) ?? 1) - 1);
  }
}

export const captionSpeech = endpoint({
  id: 'captionSpeech',
  route: 'POST /calls/{join_code}/captions',
  summary: 'Caption your speech in a call',
  description:
    'Up to 15 seconds of your own voice. Its words go to everybody who is in the call now, as `call.caption`; neither sound nor words are kept.',
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
    await requirePresence(db, path.join_code, caller.user_id);
    const { bytes } = file ?? invalid({ file: 'is required' });
    if (bytes.length === 0) invalid({ file: 'is empty' });
    const sound = await decoder.use(caller.user_id, (decode) => examine(bytes, decode, transcoder));
    if (sound.kind !== 'audio' && sound.kind !== 'video') invalid({ file: 'is not playable audio' });
    if ((sound.duration_s ?? 0) > max_duration_s) invalid({ file: `is longer than ${max_duration_s} seconds` });
    return makeOut(services, bytes, sound.content_type);
  },
  async run({ caller, path, prepared: text, db, services, afterCommit }) {
    // Whoever left meanwhile, or came, is looked for again.
    const { call, part } = await requirePresence(db, path.join_code, caller.user_id);
    const people = hearers(call).map((topic) => topic.slice('user:'.length));
    const caption = { join_code: call.join_code, participant_id: part.id, text };
    if (text !== '') afterCommit(() => services.broadcast(callCaption, people, caption));
    return { text };
  },
});

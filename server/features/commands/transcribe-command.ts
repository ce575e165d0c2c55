import { endpoint } from '../../kernel/endpoint.ts';
import { ApiError, fail, invalid } from '../../kernel/errors.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { i18nOf, type I18n } from '../../kernel/language/i18n.ts';
import { createFairQueue, createQueues } from '../../kernel/load/fair-queue.ts';
import { examine } from '../../kernel/media/media.ts';
import { component, nullable, object, Type } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';
import { selectTimeZone } from './queries.ts';
import { availableGrammar } from './rules/guide.ts';
import { phrasesOf, toTyped } from './rules/speech.ts';
import { Ambiguity, describeAmbiguity } from './rules/resolve.ts';
import { planCommand, understand } from './rules/understand.ts';
import { CommandPreview } from './schemas.ts';

/** The maximum duration of a spoken command, and of its recognition. */
const max_duration_s = 30;
const timeout_ms = 45_000;
const max_letters = 2000;
/**
 * The maximum of concurrent recognitions, in all and per account, and of those that wait. Not in a place of the decoder:
 * the engine takes seconds, and everybody's uploads would wait for it.
 */
const limits = { running: 2, running_per_account: 1, waiting: 8 };
/**
 * For engines without confidence values: a transcript that parses as a command was most likely recognised correctly.
 */
const usual_confidence = { understood: 0.8, other: 0.3 };

/** The recognitions in progress, by engine. */
const queueOf = createQueues<Services['speech'], []>(() =>
  createFairQueue(limits, () => fail('unavailable', { cause: 'too many voice commands', retry_after_s: 5 })),
);

const Transcription = component(
  'CommandTranscription',
  object({
    transcript: Type.String(),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: 'The confidence of the recogniser.' }),
    command: nullable(CommandPreview),
  }),
);

export const transcribeCommand = endpoint({
  id: 'transcribeCommand',
  route: 'POST /commands/voice',
  summary: 'Transcribe a spoken command',
  description: 'Up to 30 seconds of audio; the command is not run.',
  kind: 'upload',
  max_file_bytes: 5 * 1024 * 1024,
  throttle: 'voice',
  reply: Transcription,
  errors: ['unavailable'],
  async prepare({ caller, file, services }) {
    const { speech, decoder, operations } = services;
    if (speech.is_absent)
      fail('unavailable', { message: 'Speech recognition is not available on this service.', cause: 'no engine' });
    const { bytes } = file ?? invalid({ file: 'is required' });
    if (bytes.length === 0) invalid({ file: 'is empty' });
    const audio = await decoder.use(caller.user_id, (decode) => examine(bytes, decode, services.transcoder));
    const { kind, duration_s = 0, content_type } = audio;
    if (kind !== 'audio' && kind !== 'video') invalid({ file: 'is not playable audio' });
    if (duration_s > max_duration_s) invalid({ file: `is longer than ${max_duration_s} seconds` });
    const phrases = phrasesOf(availableGrammar(operations));
    return queueOf(speech).run(caller.user_id, () =>
      speech
        .transcribe(bytes, content_type, { phrases, timeout_ms })
        .catch((cause: unknown) => fail('unavailable', { cause, retry_after_s: 5 })),
    );
  },
  async run({ caller, origin, prepared: recognised, consume, ...change }) {
    const transcript = (recognised?.text ?? '').trim().slice(0, max_letters);
    const text = toTyped(transcript);
    const timezone = await selectTimeZone(change.db, caller.user_id);
    const i18n = i18nOf(languageOfOrigin(origin));
    const by = { caller, origin, consume, change };
    const command = await preview();
    const guessed = command ? usual_confidence.understood : usual_confidence.other;
    const confidence = transcript === '' ? 0 : Math.min(1, Math.max(0, recognised?.confidence ?? guessed));
    return { transcript, confidence, command };

    async function preview() {
      try {
        const parsed = understand(text, change.services.operations, { now: change.now, timezone });
        const plan = await planCommand({ text, by, timezone, is_confirmed: true, i18n }, parsed);
        return { understood: true as const, command: parsed.name, arguments: plan.arguments, preview: plan.preview };
      } catch (error) {
        if (error instanceof Ambiguity) return asked(error, i18n);
        // The transcript is not a command, or its target is unknown.
        if (error instanceof ApiError && error.status < 500) return null;
        throw error;
      }
    }
  },
});

const asked = (ambiguity: Ambiguity, i18n: I18n) => ({
  understood: true as const,
  command: ambiguity.suggestions[0]?.split(' ')[0] ?? '',
  arguments: {},
  preview: describeAmbiguity(i18n, ambiguity),
  requires_confirmation: true,
  suggestions: ambiguity.suggestions,
});

/** No speech engine: nothing is transcribed. */
import type { Speech } from '../ports.ts';

/** No speech recognition: nothing is transcribed. */
export function createNoSpeech(): Speech {
  return { is_absent: true, transcribe: () => Promise.resolve(undefined), close: () => Promise.resolve() };
}

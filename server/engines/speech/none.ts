/** No speech engine: nothing is transcribed. */
import type { Speech } from '../ports.ts';

export function createNoSpeech(): Speech {
  return { is_absent: true, transcribe: () => Promise.resolve(undefined), close: () => Promise.resolve() };
}

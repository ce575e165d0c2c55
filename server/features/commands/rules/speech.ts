/** Normalises recognised speech to what would be typed. */
import { wordsOf, type CompiledCommand } from './forms.ts';

/** Hints for speech recognition: the words and the examples of the grammar. */
export const phrasesOf = (grammar: readonly CompiledCommand[]): string[] => [
  ...wordsOf(grammar),
  ...grammar.flatMap(({ command }) => command.examples),
];

/**
 * Normalises a transcript: final punctuation is removed, "star jazz" becomes a tag, "p m" one word, a pause before
 * "and" a comma, and a spoken "colon" a colon.
 */
export function toTyped(transcript: string): string {
  return transcript
    .trim()
    .replace(/(?<![.!?])[.!?]+$/, '')
    .replaceAll(/\b(?:star|asterisk) (?=[a-z0-9])/gi, '*')
    .replaceAll(/\b([ap])\.? m\b\.?/gi, '$1m')
    .replaceAll(/ ?\bcolon\b/gi, ':')
    .replaceAll(/\s+/g, ' ');
}

/** Speech: what a recogniser writes down, brought near to what is typed. */
import { wordsOf, type Compiled } from './forms.ts';

/** What a recogniser should expect to hear: the words and the examples of the grammar. */
export const phrasesOf = (grammar: readonly Compiled[]): string[] => [
  ...wordsOf(grammar),
  ...grammar.flatMap(({ command }) => command.examples),
];

/**
 * A transcript as it would be typed: without the stops that recognisers put at the end, "star jazz" as a tag, "p m" as one
 * word, a pause before an "and" or a "colon" as what it stands for.
 */
export function toTyped(transcript: string): string {
  return transcript
    .trim()
    .replace(/[.!?]+$/, '')
    .replaceAll(/\b(?:star|asterisk) (?=[a-z0-9])/gi, '*')
    .replaceAll(/\b([ap])\.? m\b\.?/gi, '$1m')
    .replaceAll(/ ?\bcolon\b/gi, ':')
    .replaceAll(/\s+/g, ' ');
}

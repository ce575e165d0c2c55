import type { Person } from '@asterism/sdk';
import { fold } from '../../ui/text/fold-text.ts';

/** A name or an emoji that can complete what is being typed. */
export interface Suggestion {
  readonly kind: 'person' | 'tag' | 'emoji';
  /** As it is inserted: `@ben`, `*jazz`, an emoji. */
  readonly text: string;
  /** The displayed name of a person, the title of a tag, or the name of an emoji. */
  readonly title: string;
  readonly person?: Person;
}

/** The number of suggestions that are shown. */
export const MAX_SUGGESTIONS = 6;

/** Whether the name, or a word of the title, starts with what was typed. */
function isStartedBy({ text, title }: Suggestion, q: string): boolean {
  const start = fold(q);
  return [text.slice(1), ...title.split(/\s+/)].some((word) => fold(word).startsWith(start));
}

/** The first suggestions of a list that complete what was typed, each name once. */
export function chooseSuggestions(all: readonly Suggestion[], q: string): Suggestion[] {
  const chosen = new Map<string, Suggestion>();
  for (const one of all) {
    if (chosen.size === MAX_SUGGESTIONS) break;
    if (!chosen.has(one.text) && isStartedBy(one, q)) chosen.set(one.text, one);
  }
  return [...chosen.values()];
}

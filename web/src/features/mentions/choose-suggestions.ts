import type { Person } from '@asterism/sdk';
import { fold } from '../../ui/fold-text.ts';

/** A name that can complete what is being typed. */
export interface Suggestion {
  /** With its sigil, as it is inserted: `@ben`, `*jazz`. */
  readonly text: string;
  /** The displayed name of a person, or the title of a tag. */
  readonly title: string;
  /** The person, unless it is a tag. */
  readonly person?: Person;
}

const MAX_SUGGESTIONS = 6;

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

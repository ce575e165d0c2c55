/** Emoji as suggestions, by their names and search words in one language. */
import type { SkinTone } from 'frimousse';
import { fold } from '../../ui/text/fold-text.ts';
import { MAX_SUGGESTIONS } from './choose-suggestions.ts';
import type { Suggestion } from './choose-suggestions.ts';

/** An emoji with its name and further search words. */
export interface NamedEmoji {
  readonly emoji: string;
  readonly label: string;
  readonly tags: readonly string[];
  /** Its variants by skin tone, if it shows a person. */
  readonly skins?: Readonly<Partial<Record<SkinTone, string>>>;
}

/** The most used emoji, most used first, by the Unicode Consortium's count of 2021 (unicode.org/emoji/frequency). */
const MOST_USED =
  '😂 ❤️ 🤣 👍 😭 🙏 😘 🥰 😍 😊 🎉 😁 💕 🥺 😅 🔥 ☺️ 🤦 ♥️ 🤷 🙄 😆 🤗 😉 🎂 🤔 👏 🙂 😳 🥳 😎 👌 💜 😔 💪 ✨ 💖 👀'.split(
    ' ',
  );

/** An emoji prepared for the search: comparing is much cheaper than folding all names with each letter typed. */
export interface IndexedEmoji extends NamedEmoji {
  /** The name, its words and the tags, without case and accents. */
  readonly name: string;
  readonly words: readonly string[];
  readonly folded_tags: readonly string[];
  /** The place among the most used emoji; those that are not among them come last. */
  readonly place: number;
}

/** Prepares emoji for {@link suggestEmoji}. */
export function indexEmoji(all: readonly NamedEmoji[]): IndexedEmoji[] {
  return all.map((one) => {
    const name = fold(one.label);
    const place = MOST_USED.indexOf(one.emoji);
    return {
      ...one,
      name,
      words: name.split(/[^\p{L}\p{N}]+/u),
      folded_tags: one.tags.map(fold),
      place: place === -1 ? MOST_USED.length : place,
    };
  });
}

/** How well an emoji matches: its name has the word, a tag is the word, or one of these starts with it. */
function rankOf({ name, words, folded_tags }: IndexedEmoji, q: string): number | undefined {
  if (words.includes(q) || name === q) return 0;
  if (folded_tags.includes(q)) return 1;
  if (name.startsWith(q) || words.some((word) => word.startsWith(q))) return 2;
  return folded_tags.some((tag) => tag.startsWith(q)) ? 3 : undefined;
}

/**
 * The first emoji that match what was typed, best first; of equal ones, the most used, then those with shorter names.
 * @param q words joined by underscores, as other services name emoji: `thumbs_up`
 * @param tone the skin tone that the reader has selected
 */
export function suggestEmoji(all: readonly IndexedEmoji[], q: string, tone: SkinTone = 'none'): Suggestion[] {
  const typed = fold(q).replaceAll('_', ' ');
  return all
    .flatMap((one) => {
      const rank = rankOf(one, typed);
      return rank === undefined ? [] : [{ one, rank }];
    })
    .sort((a, b) => a.rank - b.rank || a.one.place - b.one.place || a.one.words.length - b.one.words.length)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ one: { emoji, label, skins } }) => ({ kind: 'emoji', text: skins?.[tone] ?? emoji, title: label }));
}

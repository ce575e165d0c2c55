/** Emoji as suggestions, by their names and search words in one language. */
import type { SkinTone } from 'frimousse';
import { fold } from '../../ui/fold-text.ts';
import { MAX_SUGGESTIONS } from './choose-suggestions.ts';
import type { Suggestion } from './choose-suggestions.ts';

/** An emoji with what it is found by. */
export interface NamedEmoji {
  readonly emoji: string;
  readonly label: string;
  readonly tags: readonly string[];
  /** The same with each skin tone, if it is a person. */
  readonly skins?: Readonly<Partial<Record<SkinTone, string>>>;
}

/** The most used emoji, most used first, by the Unicode Consortium's count of 2021 (unicode.org/emoji/frequency). */
const MOST_USED =
  '😂 ❤️ 🤣 👍 😭 🙏 😘 🥰 😍 😊 🎉 😁 💕 🥺 😅 🔥 ☺️ 🤦 ♥️ 🤷 🙄 😆 🤗 😉 🎂 🤔 👏 🙂 😳 🥳 😎 👌 💜 😔 💪 ✨ 💖 👀'.split(
    ' ',
  );

/** The place of an emoji among the most used ones; those that are not among them come last. */
function placeOf(emoji: string): number {
  const place = MOST_USED.indexOf(emoji);
  return place === -1 ? MOST_USED.length : place;
}

/** How well an emoji matches: its name has the word, it is found by the word, or one of these starts with it. */
function rankOf({ label, tags }: NamedEmoji, q: string): number | undefined {
  const name = fold(label);
  const words = name.split(/[^\p{L}\p{N}]+/u);
  if (words.includes(q) || name === q) return 0;
  const folded = tags.map(fold);
  if (folded.includes(q)) return 1;
  if (name.startsWith(q) || words.some((word) => word.startsWith(q))) return 2;
  return folded.some((tag) => tag.startsWith(q)) ? 3 : undefined;
}

/**
 * The first emoji that match what was typed, best first; of equal ones, the most used, then those with shorter names.
 * @param q words joined by underscores, as other services name emoji: `thumbs_up`
 * @param tone the skin tone that the reader has selected
 */
export function suggestEmoji(all: readonly NamedEmoji[], q: string, tone: SkinTone = 'none'): Suggestion[] {
  const typed = fold(q).replaceAll('_', ' ');
  return all
    .flatMap((one) => {
      const rank = rankOf(one, typed);
      return rank === undefined
        ? []
        : [{ ...one, rank, place: placeOf(one.emoji), words: one.label.split(' ').length }];
    })
    .sort((one, other) => one.rank - other.rank || one.place - other.place || one.words - other.words)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ emoji, label, skins }) => ({ kind: 'emoji', text: skins?.[tone] ?? emoji, title: label }));
}

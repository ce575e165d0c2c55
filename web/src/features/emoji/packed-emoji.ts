/** An emoji: its text, category, name, further search words, and if it is a person, its five skin tones, light first. */
export type PackedEmojiEntry = readonly [
  emoji: string,
  category: number,
  name: string,
  tags: string[],
  skins?: readonly string[],
];

/** All emoji in one language, with the names of the five skin tones. */
export interface PackedEmoji {
  readonly tones: readonly string[];
  readonly emoji: readonly PackedEmojiEntry[];
}

/** Messages of a few emoji and nothing else. */

/** The most emoji that are shown large. */
const MAX = 3;

/** One emoji: a flag, a keycap, or pictures with their modifiers, joined into one (Unicode UTS #51, 1.4.9). */
const PICTURE = String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?(?:[\u{E0020}-\u{E007E}]+\u{E007F})?`;
const EMOJI = String.raw`(?:\p{RI}\p{RI}|[0-9#*]\uFE0F?\u20E3|${PICTURE}(?:\u200D${PICTURE})*)`;
const ONLY_EMOJI = new RegExp(String.raw`^${EMOJI}(?: ?${EMOJI}){0,${MAX - 1}}$`, 'u');

/** Whether a text consists of one to three emoji; characters such as © that are text by default do not count. */
export const isEmojiOnly = (text: string): boolean =>
  ONLY_EMOJI.test(text) && /[\p{Emoji_Presentation}\uFE0F\u20E3]/u.test(text);

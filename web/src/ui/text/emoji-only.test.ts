import { describe, expect, it } from 'vitest';
import { isEmojiOnly } from './emoji-only.ts';

describe('a message of emoji only', () => {
  it.each(['😀', '👍🏽', '❤️', '🇩🇪', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '5️⃣', '👩‍👩‍👧', '🏳️‍🌈', '👋 😀', '😀😀😀'])('is %s', (text) => {
    expect(isEmojiOnly(text)).toBe(true);
  });

  it.each(['', '12', '5', '#', '©', 'Hello 😀', '😀!', '😀😀😀😀', '*jazz', '\u200D', '😀\n😀', ' '])(
    'is not “%s”',
    (text) => {
      expect(isEmojiOnly(text)).toBe(false);
    },
  );

  it('is decided in linear time', () => {
    expect(isEmojiOnly(`${'👩\u200D'.repeat(20_000)}x`)).toBe(false);
  });
});

/** Which emoji complete what is typed after a colon. */
import { describe, expect, it } from 'vitest';
import { indexEmoji, suggestEmoji } from './suggest-emoji.ts';

describe('suggested emoji', () => {
  const all = indexEmoji([
    { emoji: '💘', label: 'Heart with arrow', tags: ['cupid', 'love'] },
    { emoji: '💟', label: 'Heart decoration', tags: ['love'] },
    { emoji: '❤️', label: 'Red heart', tags: ['love'] },
    { emoji: '👍️', label: 'Thumbs up', tags: ['+1', 'like', 'yes'] },
    { emoji: '🚒', label: 'Fire engine', tags: ['truck'] },
    { emoji: '🔥', label: 'Fire', tags: ['flame', 'hot', 'lit'] },
    { emoji: '🎆', label: 'Fireworks', tags: ['boom', 'celebration'] },
    { emoji: '🥵', label: 'Überhitztes Gesicht', tags: ['heiß'] },
  ]);
  const found = (q: string) => suggestEmoji(all, q).map(({ text }) => text);

  it('have the word in their name, then among their search words, then the start of one; the most used come first, then shorter names', () => {
    expect(found('fire')).toEqual(['🔥', '🚒', '🎆']);
    expect(found('heart')).toEqual(['❤️', '💟', '💘']);
    expect(found('lov')).toEqual(['❤️', '💟', '💘']);
    expect(found('like')).toEqual(['👍️']);
    expect(found('zz')).toEqual([]);
  });

  it('are found by several words, and without case and accents', () => {
    expect(found('thumbs_up')).toEqual(['👍️']);
    expect(found('UBER')).toEqual(['🥵']);
  });

  it('have the skin tone of the reader', () => {
    const [hand] = suggestEmoji(
      indexEmoji([{ emoji: '👋', label: 'Waving hand', tags: [], skins: { dark: '👋🏿' } }]),
      'hand',
      'dark',
    );
    expect(hand).toEqual({ kind: 'emoji', text: '👋🏿', title: 'Waving hand' });
  });

  it('are six at most', () => {
    expect(
      suggestEmoji(
        indexEmoji(Array.from({ length: 9 }, (_, place) => ({ emoji: `${place}`, label: 'Key', tags: [] }))),
        'key',
      ),
    ).toHaveLength(6);
  });
});

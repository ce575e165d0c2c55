import { describe, expect, it } from 'vitest';
import { joinTexts } from './join-texts.ts';

describe('the texts of a share', () => {
  it.each([
    [['', 'Look at this', ''], 'Look at this'],
    [['Sunset', 'Look at this', 'https://example.org/'], 'Sunset\nLook at this\nhttps://example.org/'],
    // Android puts the address into the text.
    [['Sunset', 'Sunset https://example.org/', ''], 'Sunset https://example.org/'],
    [['', 'See https://example.org/', 'https://example.org/'], 'See https://example.org/'],
    [['The same', ' The same ', ''], 'The same'],
    [['', '', ''], ''],
  ])('%j are one text without repetitions', (texts, joined) => {
    expect(joinTexts(texts)).toBe(joined);
  });

  it('are limited', () => {
    expect(joinTexts(['x'.repeat(1_000_000)]).length).toBe(20_000);
  });
});

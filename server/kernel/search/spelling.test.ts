import { describe, expect, it } from 'vitest';
import { escapePattern, nearCommon, neighbours } from './spelling.ts';

describe('similar spellings', () => {
  it('are patterns with one letter omitted, replaced or inserted', () => {
    expect(neighbours('abc').toSorted()).toEqual(
      ['_abc', 'a_bc', 'ab_c', 'abc_', '_bc', 'a_c', 'ab_', 'bc', 'ac', 'ab'].toSorted(),
    );
  });

  it('treat characters beyond the BMP as one letter', () => {
    expect(neighbours('𝒶b')).toContain('𝒶_');
  });

  it('escape the special characters of LIKE', () => {
    expect(escapePattern('50%_a\\')).toBe('50\\%\\_a\\\\');
  });

  it('match exactly the common words that differ by one letter', () => {
    const common = { keys: new Set<string>(), words: new Set(['title', 'tile', 'what', 'wat', 'café', '𝒶bcd']) };
    const found = (typed: string) => nearCommon(typed, common);
    expect(found('titel')).toEqual([]);
    expect(found('titl')).toEqual(['title']);
    expect(found('titles')).toEqual(['title']);
    expect(found('tixle')).toEqual(['title', 'tile']);
    expect(found('xitle')).toEqual(['title']);
    expect(found('titlx')).toEqual(['title']);
    // A word is not similar to itself; three letters have too many neighbours.
    expect(found('tile')).toEqual(['title']);
    expect(found('wha')).toEqual(['what']);
    expect(found('wath')).toEqual([]);
    expect(found('cafe')).toEqual(['café']);
    expect(found('bcd')).toEqual(['𝒶bcd']);
  });
});

import { describe, expect, it } from 'vitest';
import { escapePattern, nearCommon, neighbours } from './spelling.ts';

describe('near spellings', () => {
  it('are patterns of a letter left out, replaced or put in', () => {
    expect(neighbours('abc').toSorted()).toEqual(
      ['_abc', 'a_bc', 'ab_c', 'abc_', '_bc', 'a_c', 'ab_', 'bc', 'ac', 'ab'].toSorted(),
    );
  });

  it('take letters whole, whichever plane of Unicode they stand in', () => {
    expect(neighbours('𝒶b')).toContain('𝒶_');
  });

  it('escape what LIKE would take for a pattern', () => {
    expect(escapePattern('50%_a\\')).toBe('50\\%\\_a\\\\');
  });

  it('stand for the common words that differ from them by one letter, and no others', () => {
    const common = { keys: new Set<string>(), words: new Set(['title', 'tile', 'what', 'wat', 'café', '𝒶bcd']) };
    const found = (typed: string) => nearCommon(typed, common);
    expect(found('titel')).toEqual([]);
    expect(found('titl')).toEqual(['title']);
    expect(found('titles')).toEqual(['title']);
    expect(found('tixle')).toEqual(['title', 'tile']);
    expect(found('xitle')).toEqual(['title']);
    expect(found('titlx')).toEqual(['title']);
    // Itself is not near; three letters have too many neighbours.
    expect(found('tile')).toEqual(['title']);
    expect(found('wha')).toEqual(['what']);
    expect(found('wath')).toEqual([]);
    expect(found('cafe')).toEqual(['café']);
    expect(found('bcd')).toEqual(['𝒶bcd']);
  });
});

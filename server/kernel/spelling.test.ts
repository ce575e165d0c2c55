import { describe, expect, it } from 'vitest';
import { escapePattern, neighbours } from './spelling.ts';

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
});

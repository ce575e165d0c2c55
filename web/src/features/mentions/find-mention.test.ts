/** Which name the web client completes, and with what. */
import { describe, expect, it } from 'vitest';
import { findMention } from './find-mention.ts';
import { chooseSuggestions } from './choose-suggestions.ts';

/** The mention at `|` in a text. */
function at(marked: string) {
  const caret = marked.indexOf('|');
  return findMention(marked.replace('|', ''), caret);
}

describe('the name at the caret', () => {
  it('is found from its sigil on', () => {
    expect(at('@|')).toEqual({ sigil: '@', q: '', from: 0, to: 1 });
    expect(at('Thanks, @be|')).toEqual({ sigil: '@', q: 'be', from: 8, to: 11 });
    expect(at('*ja|')).toEqual({ sigil: '*', q: 'ja', from: 0, to: 3 });
    expect(at('(@ada.|')).toEqual({ sigil: '@', q: 'ada.', from: 1, to: 6 });
    expect(at('@مري|')).toEqual({ sigil: '@', q: 'مري', from: 0, to: 4 });
  });

  it('includes what follows the caret in the same word', () => {
    expect(at('with @be|n tonight')).toEqual({ sigil: '@', q: 'be', from: 5, to: 9 });
  });

  it('is none within a word or an address, after a space, and behind a longer word than names can be', () => {
    for (const text of [
      'ada@exam|',
      'example.org/@be|',
      '2*3|',
      '**bold|',
      '@ben |',
      'ben|',
      '|@ben',
      `@${'a'.repeat(33)}|`,
    ])
      expect(at(text), text).toBeUndefined();
    // The start of the looked-at part of a long text is not the start of a word.
    expect(at(`${'a'.repeat(200)}@${'b'.repeat(32)}|`)).toBeUndefined();
  });
});

describe('suggestions', () => {
  const ben = { text: '@ben.o', title: 'Benjamin Okafor' };
  const bea = { text: '@bea', title: 'Béatrice' };
  const oke = { text: '@oke', title: 'Oke' };

  it('complete the name or a word of the title, without case and accents', () => {
    expect(chooseSuggestions([ben, bea, oke], 'BÉ')).toEqual([ben, bea]);
    expect(chooseSuggestions([ben, bea, oke], 'ok')).toEqual([ben, oke]);
    expect(chooseSuggestions([ben, bea, oke], 'x')).toEqual([]);
  });

  it('are the first six, each name once, as it comes first', () => {
    expect(chooseSuggestions([ben, { ...ben, title: 'Ben' }], 'b')).toEqual([ben]);
    const many = Array.from({ length: 9 }, (_, index) => ({ text: `*tag${index}`, title: '' }));
    expect(chooseSuggestions(many, '')).toEqual(many.slice(0, 6));
  });
});

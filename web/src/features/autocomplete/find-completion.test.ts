/** What the web client completes at the caret of a field, and with what. */
import { describe, expect, it } from 'vitest';
import { findCompletion } from './find-completion.ts';
import { chooseSuggestions } from './choose-suggestions.ts';

/** What can be completed at `|` in a text. */
function at(marked: string) {
  const caret = marked.indexOf('|');
  return findCompletion(marked.replace('|', ''), caret);
}

describe('the name at the caret', () => {
  it('is found from its trigger on', () => {
    expect(at('@|')).toEqual({ trigger: '@', q: '', from: 0, to: 1 });
    expect(at('Thanks, @be|')).toEqual({ trigger: '@', q: 'be', from: 8, to: 11 });
    expect(at('*ja|')).toEqual({ trigger: '*', q: 'ja', from: 0, to: 3 });
    expect(at('(@ada.|')).toEqual({ trigger: '@', q: 'ada.', from: 1, to: 6 });
    expect(at('@مري|')).toEqual({ trigger: '@', q: 'مري', from: 0, to: 4 });
  });

  it('includes what follows the caret in the same word', () => {
    expect(at('with @be|n tonight')).toEqual({ trigger: '@', q: 'be', from: 5, to: 9 });
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

describe('the emoji at the caret', () => {
  it('is found from its second letter on, in all languages', () => {
    expect(at(':pi|')).toEqual({ trigger: ':', q: 'pi', from: 0, to: 3 });
    expect(at('Thanks :thumbs_u|')).toEqual({ trigger: ':', q: 'thumbs_u', from: 7, to: 16 });
    expect(at('(:قلب|')).toEqual({ trigger: ':', q: 'قلب', from: 1, to: 5 });
    expect(at('Now :piz|za: please')).toEqual({ trigger: ':', q: 'piz', from: 4, to: 11 });
  });

  it('is none in smileys, times, addresses, and after a word', () => {
    for (const text of [
      ':|',
      ':D|',
      ':p|',
      ':-)|',
      'At 10:30|',
      'https://x|',
      'Note:this|',
      'Leser:innen|',
      '::ab|',
      ': ab|',
    ])
      expect(at(text), text).toBeUndefined();
  });
});

describe('suggestions', () => {
  const ben = { kind: 'person', text: '@ben.o', title: 'Benjamin Okafor' } as const;
  const bea = { kind: 'person', text: '@bea', title: 'Béatrice' } as const;
  const oke = { kind: 'person', text: '@oke', title: 'Oke' } as const;

  it('complete the name or a word of the title, without case and accents', () => {
    expect(chooseSuggestions([ben, bea, oke], 'BÉ')).toEqual([ben, bea]);
    expect(chooseSuggestions([ben, bea, oke], 'ok')).toEqual([ben, oke]);
    expect(chooseSuggestions([ben, bea, oke], 'x')).toEqual([]);
  });

  it('are the first six, each name once, as it comes first', () => {
    expect(chooseSuggestions([ben, { ...ben, title: 'Ben' }], 'b')).toEqual([ben]);
    const many = Array.from({ length: 9 }, (_, index) => ({ kind: 'tag' as const, text: `*tag${index}`, title: '' }));
    expect(chooseSuggestions(many, '')).toEqual(many.slice(0, 6));
  });
});

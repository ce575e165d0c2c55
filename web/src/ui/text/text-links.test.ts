import { expect, it } from 'vitest';
import { shownAddress, splitLinks } from './text-links.ts';

it('finds names and web addresses, without the punctuation after them', () => {
  const parts = splitLinks('Hello @ada, see https://example.com/a?b=(c). And *jazz!', ['@ada', '*jazz']);
  expect(parts).toEqual(['Hello ', '@ada', ', see ', 'https://example.com/a?b=(c', '). And ', '*jazz', '!']);
  expect(splitLinks('me@ada.example javascript:alert(1)', ['@ada'])).toEqual(['me@ada.example javascript:alert(1)']);
});

it('ends an address before what would show it in another order', () => {
  for (const turn of ['\u202E', '\u2066', '\u200F'])
    expect(splitLinks(`https://evil.example/${turn}moc.knab`, [])).toEqual([
      '',
      'https://evil.example/',
      `${turn}moc.knab`,
    ]);
});

it('shows an address without its scheme, and links none that shows another host first', () => {
  expect(shownAddress('https://example.com/@ada')).toBe('example.com/@ada');
  expect(shownAddress('HTTP://example.com')).toBe('example.com');
  for (const part of [
    'https://bank.example@evil.example',
    'https://bank.example:443@evil.example/',
    'https://',
    '@ada',
  ])
    expect(shownAddress(part)).toBeUndefined();
});

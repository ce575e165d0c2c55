import { expect, it } from 'vitest';
import { groupTokenOf, shownAddress, splitLinks } from './text-links.ts';

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

it('finds the token of an invite link of this service only', () => {
  const origin = 'https://calls.example';
  expect(groupTokenOf('https://calls.example/g/aB3_-x', origin)).toBe('aB3_-x');
  for (const part of [
    'https://other.example/g/aB3',
    'http://calls.example/g/aB3',
    'https://calls.example/g/aB3/more',
    'https://calls.example/g/aB3?next=x',
    'https://calls.example/g/',
    'https://calls.example/app/g/aaa-bbbb-ccc',
    '@ada',
  ])
    expect(groupTokenOf(part, origin)).toBeUndefined();
});

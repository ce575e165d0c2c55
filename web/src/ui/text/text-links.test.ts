import { expect, it } from 'vitest';
import { groupTokenOf, hrefOf, shownAddress, splitLinks } from './text-links.ts';

it('finds names and web addresses, without the punctuation after them', () => {
  const parts = splitLinks('Hello @ada, see https://example.com/a?b=(c). And *jazz!', ['@ada', '*jazz']);
  expect(parts).toEqual(['Hello ', '@ada', ', see ', 'https://example.com/a?b=(c', '). And ', '*jazz', '!']);
  expect(splitLinks('me@ada javascript:alert(1)', ['@ada'])).toEqual(['me@ada javascript:alert(1)']);
});

it('finds addresses without a scheme, e-mail addresses and telephone numbers', () => {
  const text = 'See www.example.com/a, ask me+x@ada.example. Or call +49 (30) 1234-567!';
  const parts = ['See ', 'www.example.com/a', ', ask ', 'me+x@ada.example', '. Or call ', '+49 (30) 1234-567', '!'];
  expect(splitLinks(text, ['@ada'])).toEqual(parts);
  expect([1, 3, 5].map((at) => hrefOf(parts[at] ?? ''))).toEqual([
    'https://www.example.com/a',
    'mailto:me+x@ada.example',
    'tel:+49301234567',
  ]);
  const plain = 'wwww.example awww.example 1+12345678 +1234 a@b me@@ada.example +123456789012345678901234';
  expect(splitLinks(plain, [])).toEqual([plain]);
});

it('takes time in proportion to the text', () => {
  const texts = ['a'.repeat(40_000), `${'a.'.repeat(20_000)}@`, `a@${'a.'.repeat(20_000)}1`, `+${'1 '.repeat(20_000)}`];
  const started_ms = performance.now();
  for (const text of texts) expect(splitLinks(text, []).length).toBeLessThan(4);
  expect(performance.now() - started_ms).toBeLessThan(1_000);
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
  expect(hrefOf('https://example.com/@ada')).toBe('https://example.com/@ada');
  for (const part of [
    'https://bank.example@evil.example',
    'https://bank.example:443@evil.example/',
    'www.bank.example@evil.example',
    'www.bank.example:443@evil.example',
    'https://',
    '@ada',
  ])
    expect(hrefOf(part)).toBeUndefined();
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

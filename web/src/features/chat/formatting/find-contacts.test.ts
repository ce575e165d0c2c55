import { expect, it } from 'vitest';
import { findContacts } from './find-contacts.ts';

const linked = (text: string) => findContacts(text).flatMap((part) => (part.href === undefined ? [] : [part]));

it('finds addresses without a scheme, e-mail addresses and telephone numbers', () => {
  const text = 'See www.example.com/a, ask me+x@ada.example. Or call +49 (30) 1234-567!';
  expect(linked(text)).toEqual([
    { text: 'www.example.com/a', href: 'https://www.example.com/a' },
    { text: 'me+x@ada.example', href: 'mailto:me+x@ada.example' },
    { text: '+49 (30) 1234-567', href: 'tel:+49301234567' },
  ]);
  const shown = findContacts(text).map((part) => part.text);
  expect(shown.join('')).toBe(text);
});

it('finds none within a word, and none that shows another host first', () => {
  for (const text of [
    'wwww.example awww.example 1+12345678 +1234 a@b me@@ada.example',
    '+123456789012345678901234',
    'www.bank.example@evil.example',
    'www.bank.example:443@evil.example',
  ])
    expect(linked(text)).toEqual([]);
  expect(linked('www.evil.example/\u202Emoc.knab')).toEqual([
    { text: 'www.evil.example/', href: 'https://www.evil.example/' },
  ]);
});

it('takes time in proportion to the text', () => {
  const texts = ['a'.repeat(40_000), `${'a.'.repeat(20_000)}@`, `a@${'a.'.repeat(20_000)}1`, `+${'1 '.repeat(20_000)}`];
  const started_ms = performance.now();
  for (const text of texts) expect(findContacts(text).length).toBeLessThan(4);
  expect(performance.now() - started_ms).toBeLessThan(1_000);
});

it('finds tags, but neither numbers nor words between asterisks', () => {
  const tags = (text: string) => findContacts(text).flatMap((part) => (part.is_tag ? [part.text] : []));
  expect(tags('Call *jazz or *Late-Night, (*sax_4)')).toEqual(['*jazz', '*Late-Night', '*sax_4']);
  for (const text of ['2*three', '3 *50', '*bold*', '**bold', '@*jazz', '* jazz', `*${'a'.repeat(40)}`])
    expect(tags(text)).toEqual([]);
});

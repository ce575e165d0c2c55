import { expect, it } from 'vitest';
import { findOwnLinks } from './own-links.ts';

const origin = 'https://calls.example';
const user_id = `usr_${'0'.repeat(26)}`;

it.each([
  [`Follow ${origin}/t/Jazz.`, { kind: 'tag', id: 'jazz' }],
  [`${origin}/app/t/jazz/`, { kind: 'tag', id: 'jazz' }],
  [`Call ${origin}/app/u/${user_id}?x=1`, { kind: 'person', id: user_id }],
  [`Join us: ${origin}/g/aB3_-x`, { kind: 'group', id: 'aB3_-x' }],
  [`(${origin}/j/abc-defg-hij)`, { kind: 'call', id: 'abc-defg-hij' }],
])('finds what a link of the service leads to: %s', (text, link) => {
  expect(findOwnLinks(text, origin)).toEqual([link]);
});

it('finds nothing in other links, nor where another host is opened', () => {
  for (const text of [
    'https://elsewhere.example/t/jazz',
    `${origin}.evil.example/t/jazz`,
    `${origin}@evil.example/t/jazz`,
    `${origin}/t/jazz/more`,
    `${origin}/v1/me`,
    `${origin}/g/../app`,
    'calls.example/t/jazz',
    '*jazz',
  ])
    expect(findOwnLinks(text, origin)).toEqual([]);
});

it('finds each link once, and three at most', () => {
  const text = ['a1', 'b2', 'a1', 'c3', 'd4'].map((name) => `${origin}/t/${name}`).join(' ');
  expect(findOwnLinks(text, origin).map(({ id }) => id)).toEqual(['a1', 'b2', 'c3']);
});

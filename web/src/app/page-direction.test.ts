import { expect, it } from 'vitest';
import { directionOf } from './page-direction.ts';

it.each([
  ['/messages', '/messages/thr_1', 'in'],
  ['/messages/thr_1', '/messages', 'out'],
  ['/', '/status/st_1', 'in'],
  ['/people', '/u/usr_1', 'in'],
  ['/contacts', '/people', 'across'],
  ['/contacts/con_1', '/contacts', 'out'],
  ['/people', '/settings', 'across'],
  ['/messages/thr_1', '/u/usr_1', 'across'],
  ['/settings', '/settings/profile', 'in'],
] as const)('from %s to %s is %s', (from, to, direction) => {
  expect(directionOf(from, to)).toBe(direction);
});

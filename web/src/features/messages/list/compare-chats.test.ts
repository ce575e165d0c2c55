/** The order of the chats in the list. */
import { expect, it } from 'vitest';
import { compareChats } from './compare-chats.ts';
import type { ChatRank } from './compare-chats.ts';

const chat = (key: string, at: string, pinned_at = ''): ChatRank => ({ key, at, pinned_at });
const order = (chats: readonly ChatRank[]) => chats.toSorted(compareChats).map(({ key }) => key);

it('puts the chat with the newest message first', () => {
  expect(order([chat('a', '2031-01-01'), chat('c', '2031-01-03'), chat('b', '2031-01-02')])).toEqual(['c', 'b', 'a']);
});

it('compares times of different precision: of the service, and of the clock of the browser', () => {
  expect(order([chat('a', '2031-01-01T09:00:00Z'), chat('b', '2031-01-01T09:00:00.500Z'), chat('c', '')])).toEqual([
    'b',
    'a',
    'c',
  ]);
});

it('puts pinned chats before all others, the latest pin first', () => {
  const chats = [
    chat('new', '2031-01-09'),
    chat('first', '2031-01-01', '2031-01-02'),
    chat('second', '2031-01-01', '2031-01-03'),
  ];
  expect(order(chats)).toEqual(['second', 'first', 'new']);
});

it('does not move chats that were pinned at once when a message arrives', () => {
  const pinned = (at: string) => [chat('b', at, '2031-01-02'), chat('a', '2031-01-01', '2031-01-02')];
  expect(order(pinned('2031-01-01'))).toEqual(['a', 'b']);
  expect(order(pinned('2031-01-09'))).toEqual(['a', 'b']);
});

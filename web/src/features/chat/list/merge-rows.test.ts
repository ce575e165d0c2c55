/** The rows of a chat: messages, and the calls between them. */
import { expect, it } from 'vitest';
import { mergeRows } from './merge-rows.ts';

const rowOf = (id: string, created_at: string) => ({ id, created_at });

it('mergeRows keeps the order of messages of the same time next to a call', () => {
  const messages = [
    rowOf('third', '2031-05-14T18:04:00.000Z'),
    rowOf('second', '2031-05-14T18:04:00.000Z'),
    rowOf('first', '2031-05-14T17:57:00.000Z'),
  ];
  const calls = [rowOf('late call', '2031-05-14T18:09:00.000Z'), rowOf('early call', '2031-05-14T18:00:00.000Z')];
  expect(mergeRows(messages, calls).map(({ id }) => id)).toEqual([
    'late call',
    'third',
    'second',
    'early call',
    'first',
  ]);
});

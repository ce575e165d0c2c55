import { expect, it } from 'vitest';
import { newestMessageOf } from './newest-message.ts';

it('the newest message up to a row is no call, and nothing that is not sent', () => {
  const rows = [
    { key: 'dm_1', placed: { message: {} } },
    { key: 'dm_2', placed: { message: {} } },
    { key: 'call_1', placed: { message: { call: {} } } },
    { key: 'unsent' },
  ];
  expect([-1, 0, 1, 2, 3, 9].map((index) => newestMessageOf(rows, index))).toEqual([
    undefined,
    'dm_1',
    'dm_2',
    'dm_2',
    'dm_2',
    'dm_2',
  ]);
});

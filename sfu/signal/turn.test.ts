import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIceServers } from './turn.ts';

test('creates TURN credentials per client that expire after twelve hours, and nothing without servers', () => {
  const entries = createIceServers(['stun:a:3478', 'turn:b:3478', 'turns:b:5349'], 'secret')('usr_1', 1_000_000);
  const username = `${1_000 + 12 * 3600}:usr_1`;
  const credential = createHmac('sha1', 'secret').update(username).digest('base64');
  expect(entries).toEqual([{ urls: ['stun:a:3478'] }, { urls: ['turn:b:3478', 'turns:b:5349'], username, credential }]);
  expect(createIceServers([], undefined)('usr_1')).toEqual([]);
});

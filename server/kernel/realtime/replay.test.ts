import { expect, test } from 'vitest';
import type { StoredEvent } from './outbox.ts';
import { replay_barred, withoutBarred } from './replay.ts';

const [barred_id, other_id] = [`usr_${'b'.repeat(26)}`, `usr_${'c'.repeat(26)}`];
const event = (type: string, data: object, topic = 'user:me') =>
  ({ xid: '1', position: '1', topic, type, data: JSON.stringify(data) }) as unknown as StoredEvent;
const barrier = event(replay_barred, { user_id: barred_id });
const remains = (one: StoredEvent) => withoutBarred([one, barrier]).length === 1;

test('events that name somebody whom one has blocked since are not replayed', () => {
  expect(remains(event('chat.message', { message: { author: { user: { id: barred_id } }, body: 'x' } }))).toBe(false);
  expect(remains(event('presence.changed', { user_ids: [other_id, barred_id] }))).toBe(false);
  expect(remains(event('chat.message', { message: { author: { user: { id: other_id } }, body: 'x' } }))).toBe(true);
  expect(withoutBarred([barrier, event('chat.read', { user_id: barred_id })])).toHaveLength(1);
  expect(remains(event('chat.read', { user_id: barred_id }, 'user:another'))).toBe(true);
});

test('events in whose text somebody has written that identifier are replayed', () => {
  for (const body of [`see ${barred_id}`, `"${barred_id}"`, `{"id":"${barred_id}"}`, `\\"${barred_id}\\"`])
    expect(remains(event('chat.message', { message: { author: { user: { id: other_id } }, body } }))).toBe(true);
});

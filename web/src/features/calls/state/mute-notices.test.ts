import { expect, test } from 'vitest';
import { createMuteNotices } from './mute-notices.ts';

function collect() {
  const told: (string | undefined)[] = [];
  return { told, notices: createMuteNotices((name) => told.push(name)) };
}

test('the host is named when the service has told it before the media server mutes', () => {
  const { told, notices } = collect();
  notices.onNamed('Ada', 0);
  expect(told).toEqual([]);
  notices.onMuted(300);
  expect(told).toEqual(['Ada']);
});

test('and when it tells it afterwards', () => {
  const { told, notices } = collect();
  notices.onMuted(0);
  notices.onNamed('Ada', 300);
  expect(told).toEqual([undefined, 'Ada']);
});

test('a host who muted somebody who was muted already is not named for a later mute', () => {
  const { told, notices } = collect();
  notices.onNamed('Ada', 0);
  notices.onMuted(60_000);
  expect(told).toEqual([undefined]);
  notices.onNamed('Ben', 60_100);
  notices.onNamed('Ada', 60_200);
  expect(told).toEqual([undefined, 'Ben']);
});

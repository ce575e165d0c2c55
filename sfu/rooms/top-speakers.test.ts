import { expect, test } from 'vitest';
import { WatchedQuality, writeQualities } from '../forwarding/dynacast.ts';
import { TopSpeakers } from './top-speakers.ts';

/** Sends packets of 20 ms from each speaker for some time. @returns whose last packet was forwarded */
function speak(room: TopSpeakers<string>, levels: Record<string, number>, from_ms: number, to_ms: number): string[] {
  let forwarded: string[] = [];
  for (let now_ms = from_ms; now_ms < to_ms; now_ms += 20)
    forwarded = Object.entries(levels).flatMap(([name, level_db]) =>
      room.update(name, level_db, now_ms) ? [name] : [],
    );
  return forwarded;
}

test('forwards all speakers while there are slots, then the loudest', () => {
  const room = new TopSpeakers<string>(2);
  expect(speak(room, { ann: 30, ben: 40 }, 0, 1_000)).toEqual(['ann', 'ben']);
  expect(speak(room, { ann: 30, ben: 40, cai: 37 }, 1_000, 3_000)).toEqual(['ann', 'ben']);
  expect(speak(room, { ann: 30, ben: 40, cai: 20 }, 3_000, 4_000)).toEqual(['ann', 'cai']);
});

test('gives the slot of a silent speaker to a new one at once, who keeps it for a second', () => {
  const room = new TopSpeakers<string>(1);
  speak(room, { ann: 20 }, 0, 2_000);
  // Ann sends nothing any more (DTX).
  expect(speak(room, { ben: 60 }, 3_900, 4_000)).toEqual([]);
  expect(room.update('ben', 60, 4_100)).toBe(true);
  expect(room.update('ann', 5, 4_200)).toBe(false);
  expect(speak(room, { ann: 5, ben: 60 }, 4_200, 5_400)).toEqual(['ann']);
});

test('frees the slot of a speaker who has left', () => {
  const room = new TopSpeakers<string>(1);
  room.update('ann', 20, 0);
  room.forget('ann');
  expect(room.update('ben', 90, 10)).toBe(true);
});

test('disables a layer after five seconds without a subscriber, and enables it at once', () => {
  const watched = new WatchedQuality();
  expect(watched.update(0, 0)).toBeUndefined();
  expect(watched.update(0, 4_900)).toBeUndefined();
  expect(watched.update(0, 5_000)).toBe(0);
  expect(watched.update(0, 99_000)).toBeUndefined();
  expect(watched.update(2, 99_500)).toBe(2);
  expect(watched.update(-1, 100_000)).toBeUndefined();
  expect(watched.update(2, 104_000)).toBeUndefined();
  expect(watched.update(-1, 106_000)).toBeUndefined();
  expect(watched.update(-1, 111_000)).toBe(-1);
  const enabled = (best: number, simulcast: boolean) =>
    writeQualities('TR_1', best, simulcast).subscribedQualities.map((layer) => layer.enabled);
  expect(enabled(1, true)).toEqual([true, true, false]);
  expect(enabled(0, false)).toEqual([true, true, true]);
  expect(enabled(-1, false)).toEqual([false, false, false]);
});

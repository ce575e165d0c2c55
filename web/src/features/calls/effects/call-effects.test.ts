/** How background blur keeps up with the camera, and how a microphone is opened. */
import { expect, it } from 'vitest';
import { createPace, fitSize, type Pace } from './pace.ts';
import { soundConstraints } from './sound.ts';

/** Runs enough frames for the pace to evaluate their duration. @returns the last result */
const play = (pace: Pace, took_ms: number) => Array.from({ length: 45 }, () => pace.note(took_ms)).at(-1);

it('the pace of blur keeps the best mask while frames are fast, and through a few slow ones', () => {
  const pace = createPace();
  const first = pace.effort();
  expect(first.mask_every).toBe(1);
  for (const took_ms of [20, 20, 20]) expect(play(pace, took_ms)).toBe('go_on');
  for (let frame = 0; frame < 10; frame += 1) pace.note(120);
  for (let frame = 0; frame < 35; frame += 1) expect(pace.note(10)).toBe('go_on');
  expect(pace.effort()).toBe(first);
});

it('the pace of blur lowers the effort step by step while frames are slow, and gives up only at the lowest', () => {
  const pace = createPace();
  const efforts = [pace.effort()];
  for (let step = 0; step < 2; step += 1) {
    expect(play(pace, 80)).toBe('go_on');
    efforts.push(pace.effort());
  }
  expect(efforts.map(({ mask_every }) => mask_every)).toEqual([1, 2, 3]);
  for (const size of ['mask_size', 'picture_size'] as const)
    expect(efforts.at(-1)![size]).toBeLessThan(efforts[0]![size]);
  expect(play(pace, 80)).toBe('go_on');
  expect(play(pace, 160)).toBe('give_up');
});

it('the pace of blur stays at a lower effort that is fast enough', () => {
  const pace = createPace();
  play(pace, 80);
  expect(play(pace, 30)).toBe('go_on');
  expect(pace.effort().mask_every).toBe(2);
});

it('fitSize scales an image without changing its proportions', () => {
  expect(fitSize(1280, 720, 256)).toEqual({ width: 256, height: 144 });
  expect(fitSize(720, 1280, 256)).toEqual({ width: 144, height: 256 });
  expect(fitSize(4000, 1, 160)).toEqual({ width: 160, height: 1 });
  expect(fitSize(640, 480, 1280)).toEqual({ width: 640, height: 480 });
});

it('soundConstraints requests both kinds of noise suppression, and always echo cancellation', () => {
  expect(soundConstraints(true)).toMatchObject({ noiseSuppression: true, voiceIsolation: true });
  for (const on of [true, false])
    expect(soundConstraints(on)).toMatchObject({ noiseSuppression: on, echoCancellation: true, autoGainControl: true });
});

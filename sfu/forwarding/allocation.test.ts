import { describe, expect, test } from 'vitest';
import { allocate, BandwidthEstimate, type VideoRequest } from './allocation.ts';

const camera = (quality = 2): VideoRequest => ({ quality, rates: [100_000, 400_000, 1_500_000], is_screen: false });
const screen: VideoRequest = { quality: 2, rates: [undefined, undefined, 600_000], is_screen: true };

describe('sharing a line', () => {
  test('all have what they want where nothing speaks against it', () => {
    expect(allocate([camera(), camera(0), screen], Infinity)).toEqual({ qualities: [2, 0, 2], next_bps: undefined });
  });

  test('everybody’s smallest layer comes before anybody’s better one, and tells what would be next', () => {
    expect(allocate([camera(), camera()], 700_000)).toEqual({ qualities: [1, 0], next_bps: 800_000 });
    expect(allocate([camera(), camera()], 800_000)).toEqual({ qualities: [1, 1], next_bps: 1_900_000 });
  });

  test('what does not fit at all is paused, the screen last, and one video is always sent', () => {
    expect(allocate([camera(), screen, camera()], 650_000)).toEqual({ qualities: [-1, 2, -1], next_bps: 700_000 });
    expect(allocate([camera(), camera()], 10_000)).toEqual({ qualities: [0, -1], next_bps: 200_000 });
  });

  test('passes over layers that do not live, and over videos of which nothing is known yet', () => {
    const gap: VideoRequest = { quality: 2, rates: [100_000, undefined, 900_000], is_screen: false };
    expect(allocate([gap], 500_000)).toEqual({ qualities: [0], next_bps: 900_000 });
    expect(allocate([{ quality: 1, rates: [], is_screen: false }], 500_000).qualities).toEqual([1]);
    expect(allocate([], 500_000)).toEqual({ qualities: [], next_bps: undefined });
  });
});

describe('the estimate of a line', () => {
  /** Lets time pass in half seconds. */
  const pass = (line: BandwidthEstimate, from_ms: number, to_ms: number, sent: number, next: number | undefined) => {
    for (let now_ms = from_ms; now_ms < to_ms; now_ms += 500) line.update(sent, next, now_ms);
  };

  test('an estimate below what is sent says nothing while it rises, and all when it falls', () => {
    const line = new BandwidthEstimate();
    for (const [at_ms, bps] of [
      [0, 200_000],
      [500, 216_000],
      [1_000, 235_000],
    ] as const) {
      line.noteBandwidth(bps, at_ms);
      line.update(1_500_000, undefined, at_ms);
    }
    expect(line.limit_bps).toBe(Infinity);
    line.noteBandwidth(180_000, 1_500);
    line.update(1_500_000, undefined, 1_500);
    expect(line.limit_bps).toBe(180_000);
  });

  test('a fall to more than is sent is no bound', () => {
    const line = new BandwidthEstimate();
    line.noteBandwidth(3_000_000, 0);
    line.noteBandwidth(2_000_000, 100);
    line.update(500_000, undefined, 200);
    expect(line.limit_bps).toBe(Infinity);
  });

  test('loss above a tenth bounds it, a little loss does not', () => {
    const line = new BandwidthEstimate();
    line.noteLoss(0.05, 0);
    line.update(1_000_000, undefined, 100);
    expect(line.limit_bps).toBe(Infinity);
    line.noteLoss(0.4, 200);
    line.update(1_000_000, undefined, 300);
    expect(line.limit_bps).toBeCloseTo(887_500);
    // Reports without loss let it be forgotten.
    for (const at_ms of [400, 500, 600]) line.noteLoss(0, at_ms);
    line.update(500_000, undefined, 700);
    expect(line.limit_bps).toBeCloseTo(887_500);
  });

  test('tries for more after three seconds, and waits twice as long after each trial that fails', () => {
    const line = new BandwidthEstimate();
    const congest = (at_ms: number) => {
      line.noteLoss(0.5, at_ms);
      line.update(400_000, 400_000, at_ms);
    };
    congest(0);
    pass(line, 1_600, 3_000, 300_000, 400_000);
    expect(line.limit_bps).toBe(300_000);
    pass(line, 3_000, 3_200, 300_000, 400_000);
    expect(line.limit_bps).toBeCloseTo(440_000);
    congest(4_000);
    pass(line, 5_600, 9_900, 300_000, 400_000);
    expect(line.limit_bps).toBe(300_000);
    pass(line, 10_000, 10_400, 300_000, 400_000);
    expect(line.limit_bps).toBeCloseTo(440_000);
    // That one holds: the next wait is short again, and where all have what they want there is no bound.
    pass(line, 10_500, 19_000, 400_000, undefined);
    expect(line.limit_bps).toBe(Infinity);
  });

  test('waits longer before it tries for much more than the line carried, until more has held', () => {
    const line = new BandwidthEstimate();
    line.noteLoss(0.5, 0);
    line.update(400_000, 600_000, 0);
    expect(line.limit_bps).toBe(300_000);
    pass(line, 1_600, 11_900, 100_000, 600_000);
    expect(line.limit_bps).toBe(300_000);
    pass(line, 12_000, 12_400, 100_000, 600_000);
    expect(line.limit_bps).toBeCloseTo(660_000);
    // It holds: what is far from what the line carried then is far no more.
    pass(line, 12_500, 16_900, 600_000, 1_700_000);
    expect(line.limit_bps).toBeCloseTo(660_000);
    pass(line, 17_000, 17_400, 600_000, 1_700_000);
    expect(line.limit_bps).toBeCloseTo(1_870_000);
  });
});

import { describe, expect, test } from 'vitest';
import { allocate, BandwidthEstimate, type VideoRequest } from './allocation.ts';

const camera = (quality = 2): VideoRequest => ({ quality, rates: [100_000, 400_000, 1_500_000], is_screen: false });
const screen: VideoRequest = { quality: 2, rates: [undefined, undefined, 600_000], is_screen: true };

describe('allocate', () => {
  test('all videos have the requested layer without a bandwidth limit', () => {
    expect(allocate([camera(), camera(0), screen], Infinity)).toEqual({ qualities: [2, 0, 2], next_bps: undefined });
  });

  test('the lowest layers of all videos precede higher ones, and the bitrate of the next step is returned', () => {
    expect(allocate([camera(), camera()], 700_000)).toEqual({ qualities: [1, 0], next_bps: 800_000 });
    expect(allocate([camera(), camera()], 800_000)).toEqual({ qualities: [1, 1], next_bps: 1_900_000 });
  });

  test('videos that do not fit are paused, the screen last, and one video is always sent', () => {
    expect(allocate([camera(), screen, camera()], 650_000)).toEqual({ qualities: [-1, 2, -1], next_bps: 700_000 });
    expect(allocate([camera(), camera()], 10_000)).toEqual({ qualities: [0, -1], next_bps: 200_000 });
  });

  test('skips inactive layers, and videos with unknown bitrates', () => {
    const gap: VideoRequest = { quality: 2, rates: [100_000, undefined, 900_000], is_screen: false };
    expect(allocate([gap], 500_000)).toEqual({ qualities: [0], next_bps: 900_000 });
    expect(allocate([{ quality: 1, rates: [], is_screen: false }], 500_000).qualities).toEqual([1]);
    expect(allocate([], 500_000)).toEqual({ qualities: [], next_bps: undefined });
  });
});

describe('BandwidthEstimate', () => {
  /** Updates the estimate every half second. */
  const update = (
    estimate: BandwidthEstimate,
    from_ms: number,
    to_ms: number,
    sent: number,
    next: number | undefined,
  ) => {
    for (let now_ms = from_ms; now_ms < to_ms; now_ms += 500) estimate.update(sent, next, now_ms);
  };

  test('an estimate below the sent bitrate is ignored while it rises, and limits when it falls', () => {
    const estimate = new BandwidthEstimate();
    for (const [at_ms, bps] of [
      [0, 200_000],
      [500, 216_000],
      [1_000, 235_000],
    ] as const) {
      estimate.updateBandwidth(bps, at_ms);
      estimate.update(1_500_000, undefined, at_ms);
    }
    expect(estimate.limit_bps).toBe(Infinity);
    estimate.updateBandwidth(180_000, 1_500);
    estimate.update(1_500_000, undefined, 1_500);
    expect(estimate.limit_bps).toBe(180_000);
  });

  test('a fall to more than the sent bitrate is no limit', () => {
    const estimate = new BandwidthEstimate();
    estimate.updateBandwidth(3_000_000, 0);
    estimate.updateBandwidth(2_000_000, 100);
    estimate.update(500_000, undefined, 200);
    expect(estimate.limit_bps).toBe(Infinity);
  });

  test('loss above 10 % limits the bitrate, less does not', () => {
    const estimate = new BandwidthEstimate();
    estimate.updateLoss(0.05, 0);
    estimate.update(1_000_000, undefined, 100);
    expect(estimate.limit_bps).toBe(Infinity);
    estimate.updateLoss(0.4, 200);
    estimate.update(1_000_000, undefined, 300);
    expect(estimate.limit_bps).toBeCloseTo(887_500);
    // Reports without loss reset the measured loss.
    for (const at_ms of [400, 500, 600]) estimate.updateLoss(0, at_ms);
    estimate.update(500_000, undefined, 700);
    expect(estimate.limit_bps).toBeCloseTo(887_500);
  });

  test('probes for more after three seconds, and waits twice as long after each failed probe', () => {
    const estimate = new BandwidthEstimate();
    const congest = (at_ms: number) => {
      estimate.updateLoss(0.5, at_ms);
      estimate.update(400_000, 400_000, at_ms);
    };
    congest(0);
    update(estimate, 1_600, 3_000, 300_000, 400_000);
    expect(estimate.limit_bps).toBe(300_000);
    update(estimate, 3_000, 3_200, 300_000, 400_000);
    expect(estimate.limit_bps).toBeCloseTo(440_000);
    congest(4_000);
    update(estimate, 5_600, 9_900, 300_000, 400_000);
    expect(estimate.limit_bps).toBe(300_000);
    update(estimate, 10_000, 10_400, 300_000, 400_000);
    expect(estimate.limit_bps).toBeCloseTo(440_000);
    // This probe succeeds: the next wait is short again, and without further requests there is no limit.
    update(estimate, 10_500, 19_000, 400_000, undefined);
    expect(estimate.limit_bps).toBe(Infinity);
  });

  test('waits longer before it probes for much more than the last good bitrate, until a probe succeeds', () => {
    const estimate = new BandwidthEstimate();
    estimate.updateLoss(0.5, 0);
    estimate.update(400_000, 600_000, 0);
    expect(estimate.limit_bps).toBe(300_000);
    update(estimate, 1_600, 11_900, 100_000, 600_000);
    expect(estimate.limit_bps).toBe(300_000);
    update(estimate, 12_000, 12_400, 100_000, 600_000);
    expect(estimate.limit_bps).toBeCloseTo(660_000);
    // It succeeds: the last good bitrate is higher now, so that the next probe needs no longer wait.
    update(estimate, 12_500, 16_900, 600_000, 1_700_000);
    expect(estimate.limit_bps).toBeCloseTo(660_000);
    update(estimate, 17_000, 17_400, 600_000, 1_700_000);
    expect(estimate.limit_bps).toBeCloseTo(1_870_000);
  });
});

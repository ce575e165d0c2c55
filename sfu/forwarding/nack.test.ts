import { describe, expect, test } from 'vitest';
import { Reception, SendHistory, sequenceDistance } from './nack.ts';

test('sequence numbers are compared over the wrap', () => {
  expect(sequenceDistance(2, 0xffff)).toBe(3);
  expect(sequenceDistance(0xffff, 2)).toBe(-3);
});

describe('Reception', () => {
  test('requests missing packets after a short wait and again later, until they arrive', () => {
    const reception = new Reception(1, 90_000);
    reception.add(0xfffe, 0, 0);
    reception.add(1, 3_000, 10);
    expect(reception.due(12)).toEqual([]);
    expect(reception.due(30)).toEqual([0xffff, 0]);
    expect(reception.due(40)).toEqual([]);
    expect(reception.add(0, 2_000, 45)).toBe(true);
    expect(reception.due(95)).toEqual([0xffff]);
    expect(reception.due(1_200)).toEqual([]);
  });

  test('rejects a packet that it has received before', () => {
    const reception = new Reception(1, 90_000);
    reception.add(10, 0, 0);
    reception.add(11, 0, 0);
    expect(reception.add(11, 0, 1)).toBe(false);
    expect(reception.add(10, 0, 1)).toBe(false);
  });

  test('requests nothing after a jump that is too large', () => {
    const reception = new Reception(1, 90_000);
    reception.add(10, 0, 0);
    expect(reception.add(2_000, 0, 1)).toBe(true);
    expect(reception.due(100)).toEqual([]);
  });

  test('accepts a sender that restarts its sequence numbers from the second packet on, and resets its reports', () => {
    for (const restarts_at of [100, 60_000]) {
      const reception = new Reception(7, 48_000);
      for (let index = 0; index < 200; index++) reception.add(30_000 + index, index * 960, index * 20);
      reception.report(4_000);
      const accepted = [0, 1, 2, 3].map((index) => reception.add(restarts_at + index, index * 960, 4_000 + index * 20));
      expect(accepted).toEqual([false, true, true, true]);
      expect([reception.takeRestart(), reception.takeRestart()]).toEqual([true, false]);
      expect(reception.report(5_000)).toMatchObject({ packets_lost: 0, highest_sequence: restarts_at + 3 });
    }
  });

  test('ignores stray packets far out of sequence', () => {
    const reception = new Reception(7, 48_000);
    for (let sequence = 30_000; sequence < 30_100; sequence++) {
      expect(reception.add(sequence, 0, 0)).toBe(true);
      expect(reception.add(sequence - 29_000, 0, 0)).toBe(false);
    }
    expect(reception.takeRestart()).toBe(false);
  });

  test('reports the fraction and the number of lost packets since the last report', () => {
    const reception = new Reception(7, 90_000);
    for (const sequence of [0, 1, 2, 4]) reception.add(sequence, sequence * 900, sequence * 10);
    expect(reception.report(100)).toMatchObject({ ssrc: 7, packets_lost: 1, fraction_lost: 51, highest_sequence: 4 });
    for (const sequence of [5, 6]) reception.add(sequence, sequence * 900, sequence * 10);
    expect(reception.report(200)).toMatchObject({ packets_lost: 1, fraction_lost: 0 });
  });

  test('reports the middle bits of the last sender report, and the delay since then', () => {
    const reception = new Reception(7, 90_000);
    reception.add(0, 0, 0);
    reception.updateSenderReport(0x1122_3344_5566_7788n, 1_000);
    const report = reception.report(1_500);
    expect(report.last_sender_report).toBe(0x3344_5566);
    expect(report.delay_since_last_sender_report).toBe(32_768);
  });
});

test('the history returns a packet again, but not twice within 20 ms, and not after it was overwritten', () => {
  const history = new SendHistory();
  const packet = { codec: 'vp8' as const, sequence: 5, timestamp: 0, marker: false, payload: Buffer.from([1]) };
  history.store(packet, 0);
  expect(history.take(5, 10)).toBeUndefined();
  expect(history.take(5, 30)).toBe(packet);
  expect(history.take(5, 40)).toBeUndefined();
  expect(history.take(6, 100)).toBeUndefined();
  history.store({ ...packet, sequence: 5 + 512 }, 100);
  expect(history.take(5, 200)).toBeUndefined();
});

import { describe, expect, it } from 'vitest';
import { createLoadLimit } from './load-limit.ts';

describe('the limit of concurrent requests', () => {
  const bounds = { max: 32, min: 8, turn_ms: 5 };

  /** An event loop with turns of given lengths. */
  function createLoop() {
    let clock_ms = 0;
    let processor_ms = 0;
    let active_ms = 0;
    let ends: (() => void)[] = [];
    const limit = createLoadLimit(
      bounds,
      () => ({ clock_ms, processor_ms, active_ms }),
      (act) => ends.push(act),
    );
    return {
      limit,
      turn(took_ms: number, requests = 1, worked_ms = took_ms) {
        for (let read = 0; read < requests; read++) limit.recordRead();
        clock_ms += took_ms;
        active_ms += took_ms;
        processor_ms += worked_ms;
        for (const end of ends.splice(0)) end();
        ends = [];
      },
      idle: (ms: number) => void (clock_ms += ms),
    };
  }

  it('stays at its maximum while turns are short, and after a few long ones', () => {
    const { limit, turn } = createLoop();
    for (let turns = 0; turns < 50; turns++) turn(4, 10);
    turn(200);
    turn(1);
    turn(200);
    expect(limit.current()).toBe(32);
  });

  it('is unchanged when other processes use the CPU', () => {
    const { limit, turn } = createLoop();
    for (let turns = 0; turns < 50; turns++) turn(30, 10, 2);
    expect(limit.current()).toBe(32);
  });

  it('is unchanged while the loop idles between turns', () => {
    const { limit, turn, idle } = createLoop();
    for (let turns = 0; turns < 50; turns++) {
      idle(5);
      turn(20, 10);
    }
    expect(limit.current()).toBe(32);
  });

  it('decreases within a few turns when all are long, and never below its minimum', () => {
    const { limit, turn } = createLoop();
    for (let turns = 0; turns < 2; turns++) turn(20, 100);
    expect(limit.current()).toBe(16);
    for (let turns = 0; turns < 20; turns++) turn(20, 100);
    expect(limit.current()).toBe(8);
  });

  it('settles where turns have the permitted length', () => {
    const { limit, turn } = createLoop();
    // Each concurrent request takes a quarter of a millisecond of every turn.
    for (let turns = 0; turns < 500; turns++) turn(limit.current() / 4, 100);
    expect(limit.current()).toBeGreaterThan(15);
    expect(limit.current()).toBeLessThan(24);
  });

  it('recovers within half a second', () => {
    const { limit, turn, idle } = createLoop();
    for (let turns = 0; turns < 20; turns++) turn(20);
    idle(500);
    turn(1);
    expect(limit.current()).toBe(32);
  });
});

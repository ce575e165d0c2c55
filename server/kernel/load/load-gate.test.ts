import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { default_limits } from './limits.ts';
import { createLoadGate, type LoadGate } from './load-gate.ts';
import { createMetrics } from '../observability/metrics.ts';

describe('the load gate', () => {
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  /** Sends a request without a body to a gate. */
  const pass = (gate: LoadGate, serve: (request: IncomingMessage) => void, refuse = () => {}) => {
    const request = { method: 'GET', complete: true, headers: {}, socket: {} } as IncomingMessage;
    gate.pass(request, new EventEmitter() as ServerResponse, () => serve(request), refuse);
  };

  it('releases the slot of a synchronously answered request only in the next turn', async () => {
    const gate = createLoadGate({ ...default_limits, requests_working: 4, requests_working_min: 4 }, createMetrics());
    let served = 0;
    let refused = 0;
    for (let count = 0; count < 10; count++)
      pass(
        gate,
        (request) => {
          served += 1;
          gate.enter(request)();
        },
        () => (refused += 1),
      );
    const by_turn = [served];
    for (let turn = 0; turn < 3; turn++) {
      await nextTurn();
      by_turn.push(served);
    }
    expect([by_turn, refused]).toEqual([[4, 8, 10, 10], 0]);
  });

  it('admits only the minimum while the database is behind, and what waited once it is not', async () => {
    let is_behind = true;
    const gate = createLoadGate(
      { ...default_limits, requests_working_min: 2 },
      createMetrics(),
      undefined,
      () => is_behind,
    );
    const served = Promise.withResolvers<void>();
    let served_count = 0;
    for (let count = 0; count < 5; count++)
      pass(gate, () => {
        served_count += 1;
        if (served_count === 5) served.resolve();
      });
    await nextTurn();
    expect(served_count).toBe(2);
    is_behind = false;
    await served.promise;
  });
});

import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { default_limits } from './limits.ts';
import { createLoadGate } from './load-gate.ts';
import { createMetrics } from '../observability/metrics.ts';

describe('the load gate', () => {
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  it('releases the slot of a synchronously answered request only in the next turn', async () => {
    const gate = createLoadGate({ ...default_limits, requests_working: 4, requests_working_min: 4 }, createMetrics());
    let served = 0;
    let refused = 0;
    for (let count = 0; count < 10; count++) {
      const request = { method: 'GET', complete: true, headers: {}, socket: {} } as IncomingMessage;
      const response = new EventEmitter() as ServerResponse;
      const serve = () => {
        served += 1;
        gate.enter(request)();
      };
      gate.pass(request, response, serve, () => (refused += 1));
    }
    const by_turn = [served];
    for (let turn = 0; turn < 3; turn++) {
      await nextTurn();
      by_turn.push(served);
    }
    expect([by_turn, refused]).toEqual([[4, 8, 10, 10], 0]);
  });
});

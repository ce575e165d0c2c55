import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { default_limits } from './limits.ts';
import { createLoadQueue } from './load-queue.ts';

const bounds = { ...default_limits, requests_waiting: 16, request_overload_networks: 3 };

/** A queue whose room is set by the test, and what became of the requests in it. */
function createQueue(room: number) {
  const place = { room };
  const served: string[] = [];
  const refused: string[] = [];
  const queue = createLoadQueue(bounds, () => place.room > 0);
  const send = (network: string, count = 1) => {
    for (let at = 0; at < count; at++)
      queue.add(
        {} as ServerResponse,
        () => network,
        () => refused.push(network),
        () => {
          place.room -= 1;
          served.push(network);
        },
      );
  };
  const free = (count: number) => {
    place.room += count;
    queue.advance();
  };
  return { queue, send, free, served, refused };
}

describe('the queue of the load gate', () => {
  it('serves networks in rotation, so that a flood of requests from one delays no others', () => {
    const { send, free, served, refused } = createQueue(2);
    send('flood', 100);
    expect([served.length, refused.length]).toEqual([2, 90]);
    send('other', 2);
    send('flood', 100);
    free(4);
    expect(served.slice(2)).toEqual(['flood', 'other', 'flood', 'other']);
    free(100);
    expect(served.filter((network) => network === 'flood')).toHaveLength(10);
    expect(refused).not.toContain('other');
  });

  it('leaves a free place to whoever has nothing waiting, however many networks have', () => {
    const { send, refused } = createQueue(0);
    for (const network of ['a', 'b']) send(network, 100);
    const before = refused.length;
    send('other');
    expect(refused.length).toBe(before);
  });

  it('refuses everybody at once when requests of many networks were refused', () => {
    const { send, refused } = createQueue(0);
    for (const network of ['a', 'b', 'c']) send(network, 100);
    const before = refused.length;
    send('other');
    expect(refused.slice(before)).toEqual(['other']);
  });

  it('queues nothing of a network after a refusal, also once its requests have left the queue', () => {
    const { queue, send, free, refused } = createQueue(0);
    send('flood', 100);
    free(8);
    expect([queue.length(), queue.isOverloaded()]).toEqual([0, true]);
    const before = refused.length;
    send('flood', 3);
    expect(refused.length - before).toBe(3);
  });
});

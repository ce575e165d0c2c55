import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { networksOf } from './client-address.ts';
import { default_limits } from './limits.ts';
import { createLoadQueue } from './load-queue.ts';

const bounds = { ...default_limits, requests_waiting: 24, request_overload_networks: 3 };

/** A queue whose room is set by the test, and what became of the requests in it. */
function createQueue(room: number) {
  const place = { room };
  const served: string[] = [];
  const refused: string[] = [];
  const queue = createLoadQueue(bounds, () => place.room > 0);
  const send = (network: string, count = 1, account?: string) => {
    const kind = account === undefined ? 'stranger' : 'account';
    const groups = [kind, ...(network.includes(':') ? networksOf(network) : [network]), ...(account ? [account] : [])];
    for (let at = 0; at < count; at++)
      queue.add(
        {} as ServerResponse,
        () => groups,
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
  // Time stands still: on a busy machine a request would have waited too long between two lines of a test.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

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

  it('leaves a free place to a client that has nothing waiting, however many networks have something', () => {
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

  it('gives all IPv6 networks of a /48 one turn, and in it each of its parts', () => {
    const { send, free, served, refused } = createQueue(0);
    // Of each /56 the first four /64 networks.
    for (let at = 0; at < 200; at++) send(`2001:db8:0:${((at >> 2) * 256 + (at & 3)).toString(16)}::1`);
    expect(served.length + refused.length).toBe(192);
    send('192.0.2.1', 2);
    send('2001:db8:1::1');
    expect([refused.includes('192.0.2.1'), refused.includes('2001:db8:1::1')]).toEqual([false, false]);
    free(5);
    const names = served.map((network) => (network.startsWith('2001:db8:0:') ? 'flood' : network));
    expect(names).toEqual(['flood', '192.0.2.1', '2001:db8:1::1', 'flood', '192.0.2.1']);
  });

  it('keeps places in the turn of a /48 for neighbours of a subscriber who floods', () => {
    const { send, free, served, refused } = createQueue(0);
    for (let at = 0; at < 256; at++) send(`2001:db8:0:${at.toString(16)}::1`);
    send('2001:db8:0:ff00::1');
    expect(refused).not.toContain('2001:db8:0:ff00::1');
    free(2);
    expect(served).toContain('2001:db8:0:ff00::1');
  });

  it('serves people who are signed in between strangers, however many networks these have', () => {
    const { send, free, served, refused } = createQueue(0);
    for (let at = 0; at < 50; at++) send(`127.0.0.${at}`, 20);
    send('198.51.100.1', 2, 'alice');
    expect(refused).not.toContain('198.51.100.1');
    free(4);
    expect(served.filter((network) => network === '198.51.100.1')).toHaveLength(2);
  });

  it('neither an account in many networks nor many accounts in one hold up others who are signed in', () => {
    for (const flood of [
      (at: number) => [`127.0.0.${at}`, 'mallory'],
      (at: number) => ['127.0.0.1', `mallory ${at}`],
    ]) {
      const { send, free, served, refused } = createQueue(0);
      for (let at = 0; at < 50; at++) {
        const [network = '', account] = flood(at);
        send(network, 20, account);
      }
      send('198.51.100.1', 1, 'alice');
      expect(refused).not.toContain('198.51.100.1');
      free(24);
      expect(served).toContain('198.51.100.1');
    }
  });
});

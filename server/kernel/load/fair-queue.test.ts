import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { networksOf } from './client-address.ts';
import { createFairQueue } from './fair-queue.ts';

const refusal = new Error('no room');
const refuse = (): never => {
  throw refusal;
};

/** A queue whose work ends when the test ends it; `order` lists the started work. */
function openQueue(limits: Parameters<typeof createFairQueue>[0]) {
  const queue = createFairQueue(limits, refuse);
  const order: string[] = [];
  const running: { name: string; end: () => void }[] = [];
  const done: Promise<unknown>[] = [];
  return {
    order,
    done,
    enqueue(account: string, name: string) {
      const ended = queue.run(account, async () => {
        order.push(name);
        await new Promise<void>((end) => running.push({ name, end }));
      });
      done.push(ended.catch(() => undefined));
      return ended;
    },
    async endAll() {
      for (let task = running.shift(); task; task = running.shift()) {
        task.end();
        await new Promise(setImmediate);
      }
      await Promise.all(done);
    },
  };
}

describe('a fair queue', () => {
  it('serves accounts in rotation, each in its own order', async () => {
    const { enqueue, order, endAll } = openQueue({ running: 1, running_per_account: 1, waiting: 100 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void enqueue(name.charAt(0), name);
    await endAll();
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('limits the concurrent work per account, even when there is capacity', async () => {
    const { enqueue, order, endAll } = openQueue({ running: 3, running_per_account: 1, waiting: 100 });
    for (const name of ['a1', 'a2', 'b1']) void enqueue(name.charAt(0), name);
    await Promise.resolve();
    expect(order).toEqual(['a1', 'b1']);
    await endAll();
    expect(order).toEqual(['a1', 'b1', 'a2']);
  });

  it('has capacity for an account with little work while others send as much as they can', async () => {
    const { enqueue, order, endAll } = openQueue({ running: 2, running_per_account: 1, waiting: 24 });
    const refused = { greedy: 0, innocent: 0 };
    for (let round = 0; round < 51; round++) {
      for (const account of ['a', 'b', 'c'])
        for (let task = 0; task < 6; task++) enqueue(account, account).catch(() => refused.greedy++);
      if (round < 3) enqueue('innocent', 'innocent').catch(() => refused.innocent++);
    }
    await Promise.resolve();
    await endAll();
    expect(refused.innocent).toBe(0);
    expect(refused.greedy).toBeGreaterThan(800);
    // Two start at once, and then each account has one turn before any has a second.
    expect(order.indexOf('innocent')).toBeLessThan(6);
  });

  it('queues less for a client that was refused a moment ago, and as much as before for others', async () => {
    const queue = createFairQueue(
      {
        running: 1,
        running_per_account: 1,
        waiting: 24,
        overload: { waiting: 6, refused_ms: 60_000, wait_ms: 60_000 },
      },
      refuse,
    );
    let refused_count = 0;
    const flood = () =>
      Array.from({ length: 30 }, () => queue.run('flood', () => Promise.resolve()).catch(() => refused_count++));
    await Promise.all(flood());
    expect(refused_count).toBe(30 - 1 - 12);
    refused_count = 0;
    const others = Array.from({ length: 12 }, () => queue.run('other', () => Promise.resolve(true)));
    await Promise.all([...others, ...flood()]);
    // The one that runs and eleven that wait are of the other client, which leaves none of the six places.
    expect(refused_count).toBe(30);
    await Promise.all(flood());
    expect(refused_count).toBe(30 + 30 - 1 - 3);
  });

  it('queues fewer where work takes long, so that none waits for long, but some in any case', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const queue = createFairQueue(
      { running: 1, running_per_account: 1, waiting: 24, overload: { waiting: 6, refused_ms: 1, wait_ms: 1000 } },
      refuse,
    );
    /** How many of 30 are accepted of another account each time, all of which take as long as the last. */
    const countAccepted = async (account: string, duration_ms: number) => {
      vi.advanceTimersByTime(10);
      let accepted = 0;
      const work = async () => {
        accepted += 1;
        vi.advanceTimersByTime(duration_ms);
      };
      await Promise.all(Array.from({ length: 30 }, () => queue.run(account, work).catch(() => undefined)));
      return accepted;
    };
    expect(await countAccepted('first', 100)).toBe(1 + 12);
    // Ten have their turn within a second, of which one account has half.
    expect(await countAccepted('second', 100)).toBe(1 + 5);
    await countAccepted('slow', 10_000);
    expect(await countAccepted('third', 100)).toBe(1 + 3);
  });

  it('passes errors on, and releases the slot', async () => {
    const queue = createFairQueue({ running: 1, running_per_account: 1, waiting: 0 }, refuse);
    await expect(queue.run('a', () => Promise.reject(refusal))).rejects.toBe(refusal);
    const held = queue.run('a', () => new Promise(setImmediate));
    await expect(queue.run('b', () => Promise.resolve())).rejects.toBe(refusal);
    await held;
    expect(await queue.run('b', () => Promise.resolve(1))).toBe(1);
  });

  it('has one turn and one share for all networks of an IPv6 /48', async () => {
    const queue = createFairQueue({ running: 1, running_per_account: 1, waiting: 24 }, refuse);
    const order: string[] = [];
    const refused: string[] = [];
    const enqueue = (address: string, name: string) =>
      queue
        .run(networksOf(address), async () => {
          order.push(name);
          await new Promise(setImmediate);
        })
        .catch(() => refused.push(name));
    const all = Array.from({ length: 100 }, (_none, at) => enqueue(`2001:db8:0:${at.toString(16)}00::1`, 'flood'));
    all.push(enqueue('192.0.2.1', 'other'), enqueue('192.0.2.1', 'other'));
    await Promise.all(all);
    expect([refused.includes('other'), refused.length]).toEqual([false, 87]);
    expect(order.slice(0, 5)).toEqual(['flood', 'flood', 'other', 'flood', 'other']);
  });
});

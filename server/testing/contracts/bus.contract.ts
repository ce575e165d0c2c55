/** What every implementation of a bus must do. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import type { Bus } from '../../engines/ports.ts';

/**
 * Declares the suite's tests.
 * @param connect returns two ends of one bus, as two nodes have; a bus of one process returns the same end twice
 */
export function testBus(connect: () => Promise<{ here: Bus; there: Bus }>): void {
  const open: Bus[] = [];
  const start = async () => {
    const ends = await connect();
    open.push(...new Set([ends.here, ends.there]));
    return { ...ends, key: `test:${randomUUID()}` };
  };
  afterEach(async () => {
    for (const bus of open.splice(0)) await bus.close();
  });

  it('delivers messages to every node, including the sender, in the order of the publisher', async () => {
    const { here, there, key } = await start();
    const received: { here: string[]; there: string[] } = { here: [], there: [] };
    await here.subscribe(key, (message) => received.here.push(message));
    await there.subscribe(key, (message) => received.there.push(message));
    const sent = Array.from({ length: 200 }, (_, index) => `message ${index} é`);
    await Promise.all(sent.map((message) => here.publish(key, message)));
    await vi.waitFor(() => expect(received).toEqual({ here: sent, there: sent }), 5_000);
  });

  it('separates channels and subscribers, and stops only the stopped one', async () => {
    const { here, key } = await start();
    const received: string[] = [];
    const stop = await here.subscribe(key, (message) => received.push(`first ${message}`));
    await here.subscribe(key, (message) => received.push(`second ${message}`));
    await here.subscribe(`${key}:other`, (message) => received.push(`other ${message}`));
    await here.publish(key, 'a');
    await vi.waitFor(() => expect(received).toEqual(['first a', 'second a']), 5_000);
    await stop();
    await here.publish(key, 'b');
    await here.publish(`${key}:other`, 'c');
    await vi.waitFor(() => expect(received.toSorted()).toEqual(['first a', 'other c', 'second a', 'second b']), 5_000);
  });

  it('reports that it is connected', async () => {
    const { here, there } = await start();
    expect([here.isConnected(), there.isConnected()]).toEqual([true, true]);
  });

  it('counts exactly under concurrent increments, and resets after the time of the first increment', async () => {
    const { here, there, key } = await start();
    const values = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? here : there).increment(key, 60_000)),
    );
    expect(values.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));

    const many = `${key}:many`;
    expect(await here.increment(many, 60_000, 40)).toBe(40);
    expect(await there.increment(many, 60_000, 2)).toBe(42);

    const short = `${key}:short`;
    expect(await here.increment(short, 300)).toBe(1);
    // A later increment does not extend the time.
    expect(await there.increment(short, 60_000)).toBe(2);
    const other = `${key}:probe`;
    await here.touch(other, 'sand', 600);
    await vi.waitFor(async () => expect(await here.members(other)).toEqual([]), { timeout: 5_000, interval: 20 });
    expect(await here.increment(short, 60_000)).toBe(1);
  });

  it('lists present members, removes those that time out, and drops one at once', async () => {
    const { here, there, key } = await start();
    await here.touch(key, 'ann', 60_000);
    await there.touch(key, 'ben', 60_000);
    await there.touch(key, 'ben', 60_000);
    await here.touch(key, 'cat', 200);
    expect((await there.members(key)).toSorted()).toEqual(['ann', 'ben', 'cat']);
    await vi.waitFor(async () => expect((await there.members(key)).toSorted()).toEqual(['ann', 'ben']), 5_000);
    await there.drop(key, 'ann');
    await there.drop(key, 'nobody');
    expect(await here.members(key)).toEqual(['ben']);
    expect(await here.members(`${key}:empty`)).toEqual([]);
  });
}

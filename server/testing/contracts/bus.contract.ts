/** What every bus must do, whichever adapter carries it. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import type { Bus } from '../../engines/ports.ts';

/**
 * Declares the suite's tests.
 * @param connect gives two ends of one bus, as two nodes have; a bus of one process gives the same end twice.
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

  it('carries messages to every node, the sender included, in the order of the publisher', async () => {
    const { here, there, key } = await start();
    const heard: { here: string[]; there: string[] } = { here: [], there: [] };
    await here.subscribe(key, (message) => heard.here.push(message));
    await there.subscribe(key, (message) => heard.there.push(message));
    const sent = Array.from({ length: 200 }, (_, index) => `message ${index} é`);
    await Promise.all(sent.map((message) => here.publish(key, message)));
    await vi.waitFor(() => expect(heard).toEqual({ here: sent, there: sent }), 5_000);
  });

  it('keeps channels and listeners apart, and stops only the one that was stopped', async () => {
    const { here, key } = await start();
    const heard: string[] = [];
    const stop = await here.subscribe(key, (message) => heard.push(`first ${message}`));
    await here.subscribe(key, (message) => heard.push(`second ${message}`));
    await here.subscribe(`${key}:other`, (message) => heard.push(`other ${message}`));
    await here.publish(key, 'a');
    await vi.waitFor(() => expect(heard).toEqual(['first a', 'second a']), 5_000);
    await stop();
    await here.publish(key, 'b');
    await here.publish(`${key}:other`, 'c');
    await vi.waitFor(() => expect(heard.toSorted()).toEqual(['first a', 'other c', 'second a', 'second b']), 5_000);
  });

  it('says that it is connected', async () => {
    const { here, there } = await start();
    expect([here.isConnected(), there.isConnected()]).toEqual([true, true]);
  });

  it('counts exactly when many count at once, and forgets after the first increment’s time', async () => {
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
    // A later increment does not move the end.
    expect(await there.increment(short, 60_000)).toBe(2);
    const other = `${key}:probe`;
    await here.touch(other, 'sand', 600);
    await vi.waitFor(async () => expect(await here.members(other)).toEqual([]), { timeout: 5_000, interval: 20 });
    expect(await here.increment(short, 60_000)).toBe(1);
  });

  it('knows who is present, lets go of who is silent, and drops at once', async () => {
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

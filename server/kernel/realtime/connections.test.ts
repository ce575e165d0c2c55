import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { default_limits } from '../load/limits.ts';
import { createConnections } from './connections.ts';
import type { Connection, Frame, Subscription } from './receivers.ts';

const frame: Frame = { id: '1', text: '{}', shared: new Map() };
const follow = (key: string, ...topics: string[]): Subscription => ({ key, topics });

const connectionOf = (user_id: string, session_id: string, send: () => void = () => undefined): Connection => ({
  user_id,
  session_id,
  channel: new PassThrough(),
  isValid: async () => true,
  send,
  close: () => undefined,
});

/** A table, and a function that adds a connection which counts what it is sent. */
function createTable() {
  const connections = createConnections(default_limits);
  let reads = 0;
  const read = (subscriptions: Subscription[]) => async () => {
    reads += 1;
    return subscriptions;
  };
  async function join(user_id: string, session_id: string, subscriptions: Subscription[] = []) {
    let sent = 0;
    const joined = connections.add(connectionOf(user_id, session_id, () => (sent += 1)));
    await connections.load(joined, read(subscriptions));
    const topics = connections.hold(joined);
    joined.held = undefined;
    return { joined, topics, sent: () => sent };
  }
  return { connections, join, reads: () => reads };
}

describe('the connections of one account', () => {
  it('share their subscriptions, which are read once', async () => {
    const { connections, join, reads } = createTable();
    const follows = [follow('tag_a', 'stream:tag_a', 'stream:owner'), follow('tag_b', 'stream:tag_b', 'stream:owner')];
    const [one, other, stranger] = [await join('ann', 's1', follows), await join('ann', 's2'), await join('bob', 's3')];
    expect(reads()).toBe(2);
    expect(other.topics.toSorted()).toEqual(['session:s2', 'stream:owner', 'stream:tag_a', 'stream:tag_b', 'user:ann']);
    for (const topic of ['stream:tag_a', 'user:ann', 'session:s2', 'user:nobody']) connections.send(topic, frame);
    expect([one.sent(), other.sent(), stranger.sent()]).toEqual([2, 3, 0]);
  });

  it('have one subscription less when a follow ends, and keep a topic for which another one is left', async () => {
    const { connections, join } = createTable();
    const one = await join('ann', 's1', [follow('a', 'stream:a', 'stream:owner'), follow('b', 'stream:owner')]);
    connections.change('user:ann', { add: [], remove: ['a'] });
    expect(['stream:a', 'stream:owner'].map(connections.has)).toEqual([false, true]);
    connections.change('user:ann', { add: [follow('c', 'stream:c')], remove: ['b'] });
    connections.send('stream:owner', frame);
    connections.send('stream:c', frame);
    expect(one.sent()).toBe(1);
  });

  it('apply changes that arrive while the subscriptions are read', async () => {
    const { connections } = createTable();
    const joined = connections.add(connectionOf('ann', 's1'));
    const answer = Promise.withResolvers<Subscription[]>();
    const loaded = connections.load(joined, () => answer.promise);
    connections.change('user:ann', { add: [follow('b', 'stream:b')], remove: ['a'] });
    answer.resolve([follow('a', 'stream:a')]);
    await loaded;
    expect(['stream:a', 'stream:b'].map(connections.has)).toEqual([false, true]);
  });

  it('are forgotten with the last of them, and read again by the next one', async () => {
    const { connections, join, reads } = createTable();
    const follows = [follow('a', 'stream:a')];
    const [one, other] = [await join('ann', 's1', follows), await join('ann', 's2', follows)];
    connections.remove(one.joined);
    expect(['stream:a', 'user:ann', 'session:s1', 'session:s2'].map(connections.has)).toEqual([
      true,
      true,
      false,
      true,
    ]);
    connections.remove(other.joined);
    connections.remove(other.joined);
    expect(['stream:a', 'user:ann', 'session:s2'].map(connections.has)).toEqual([false, false, false]);
    expect(connections.count()).toBe(0);
    const again = await join('ann', 's3', follows);
    connections.remove(one.joined);
    connections.send('stream:a', frame);
    expect([reads(), again.sent()]).toEqual([2, 1]);
  });

  it('read the subscriptions again after a failure', async () => {
    const { connections, join } = createTable();
    const joined = connections.add(connectionOf('ann', 's1'));
    await expect(connections.load(joined, () => Promise.reject(new Error('no database')))).rejects.toThrow(
      'no database',
    );
    const next = await join('ann', 's2', [follow('a', 'stream:a')]);
    expect(next.topics).toContain('stream:a');
  });

  it('are closed by the topic of their user or session', async () => {
    const { connections, join } = createTable();
    await join('ann', 's1', [follow('a', 'stream:a')]);
    await join('ann', 's2');
    connections.close('session:s1', 'revoked');
    expect([connections.count(), connections.has('stream:a')]).toEqual([1, true]);
    connections.close('user:ann', 'revoked');
    expect([connections.count(), connections.has('stream:a')]).toEqual([0, false]);
  });
});

import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { default_limits } from '../../load/limits.ts';
import { limitConnections } from './http-connections.ts';

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string | undefined;
  is_destroyed = false;
  constructor(remoteAddress: string | undefined) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): void {
    this.is_destroyed = true;
    this.emit('close');
  }
}

/** How many of `count` connections from an address are accepted, by a server with room for ten. */
function createOpener(trust_proxy: boolean) {
  const server = new EventEmitter();
  const accepted: FakeSocket[] = [];
  server.on('connection', (socket: FakeSocket) => accepted.push(socket));
  const limits = { ...default_limits, connections: 10, connections_refused: 0 };
  limitConnections(server as unknown as Server, limits, trust_proxy);
  return (address: string, count: number) => {
    const before = accepted.length;
    for (let at = 0; at < count; at++) server.emit('connection', new FakeSocket(address));
    return accepted.slice(before);
  };
}

describe('connections', () => {
  it('that their clients have reset before they are accepted are closed, since their address is not known', () => {
    const server = new EventEmitter();
    let accepted = 0;
    server.on('connection', () => (accepted += 1));
    const countOpen = limitConnections(server as unknown as Server, default_limits, false);
    const gone = new FakeSocket(undefined);
    server.emit('connection', gone);
    expect([accepted, gone.is_destroyed, countOpen()]).toEqual([0, true, 0]);
  });

  it('of one network are at most half, and leave places for others', () => {
    const open = createOpener(false);
    const [first, ...more] = open('192.0.2.1', 20);
    expect(more).toHaveLength(4);
    expect(open('2001:db8::1', 9)).toHaveLength(2);
    expect(open('2001:db8::2', 2)).toHaveLength(0);
    expect(open('198.51.100.1', 3)).toHaveLength(2);
    first?.destroy();
    expect(open('198.51.100.2', 1)).toHaveLength(1);
  });

  it('of all networks of an IPv6 /48 are at most half', () => {
    const open = createOpener(false);
    const all = Array.from({ length: 200 }, (_none, at) => open(`2001:db8:0:${at.toString(16)}00::1`, 1)).flat();
    expect(all).toHaveLength(5);
    expect(open('192.0.2.1', 1)).toHaveLength(1);
  });

  it('of a proxy are not limited further', () => {
    expect(createOpener(true)('192.0.2.1', 20)).toHaveLength(10);
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect(createOpener(false)(address, 20)).toHaveLength(10);
  });
});

/** Rooms without a network, on fake timers: for tests of what rooms forward, receive and announce. */
import { vi } from 'vitest';
import type { ConnectionEvents, MediaConnection } from '../forwarding/rtp-engine.ts';
import { Registry } from '../rooms/registry.ts';
import type { Grants } from '../token.ts';

/** The grants of somebody who may publish and subscribe. */
export const member_grants: Omit<Grants, 'identity' | 'room'> = {
  room_join: true,
  room_create: false,
  room_list: false,
  room_admin: false,
  recorder: false,
  can_publish: true,
  can_subscribe: true,
  can_publish_data: true,
  can_update_own_metadata: false,
  can_publish_sources: [],
  hidden: false,
  name: '',
  metadata: '',
  attributes: {},
  kind: '',
  token_id: '',
  expires_at_s: 0,
  issued_at_s: 0,
};

/** A media connection whose methods do nothing, except for the given ones; its peer never falls silent. */
export function createFakeConnection(methods: Partial<MediaConnection> = {}): MediaConnection {
  const channel = { isOpen: () => false, bufferedBytes: () => 0, send: () => undefined };
  const known: Partial<MediaConnection> = {
    openDataChannel: () => channel,
    lastSeenAt: () => performance.now(),
    ...methods,
  };
  return new Proxy(known as MediaConnection, {
    get: (target, name) => Reflect.get(target, name) ?? (() => undefined),
  });
}

/**
 * Creates a registry whose rooms do not end by themselves, and replaces timers and `performance.now` by fake ones;
 * `vi.useRealTimers` restores them.
 * @param connect returns the connection for the events of a participant
 */
export function createFakeRegistry(connect: (events: ConnectionEvents) => MediaConnection): Registry {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }).advanceTimersByTime(1);
  return new Registry({
    settings: { empty_timeout_s: 1e6, departure_timeout_s: 1e6, max_participants: 0, metadata: '' },
    loadEngine: async () => ({ createConnection: connect }),
    onWebhook: () => undefined,
    log: () => undefined,
  });
}

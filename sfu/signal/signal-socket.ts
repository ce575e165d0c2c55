import type { WebSocket } from 'ws';

/** What of a socket its server uses; those of `ws` have it, and those that stand for them in another thread. */
export type SignalSocket = Pick<
  WebSocket,
  'send' | 'bufferedAmount' | 'close' | 'terminate' | 'readyState' | 'OPEN' | 'CLOSED' | 'on' | 'once' | 'off'
>;

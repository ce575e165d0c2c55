import type { WebSocket } from 'ws';

/** The part of a websocket that the server uses; implemented by `ws`, and by proxies for sockets of another thread. */
export type SignalSocket = Pick<
  WebSocket,
  'send' | 'bufferedAmount' | 'close' | 'terminate' | 'readyState' | 'OPEN' | 'CLOSED' | 'on' | 'once' | 'off'
>;

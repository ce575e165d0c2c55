/**
 * A hostile client of a call: it repeatedly joins with every token that it ever received, and counts the audio packets.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { RoomListener } from '../../../sfu/clients/recorder/room-listener.ts';

/** A participant who joins again with each token that it has, for tests of removals. */
export type PersistentListener = {
  /** When each audio packet arrived, in ms of `performance.now()`. */
  packets_at_ms: number[];
  /** The tokens that it received so far, including those that the media server renewed. */
  tokens: ReadonlySet<string>;
  /** When each attempt to join was rejected. */
  refused_at_ms: number[];
  stop(): Promise<void>;
};

/** How long each attempt lasts before the next token is tried: as long as a join and the first audio take. */
const attempt_ms = 700;
const pause_ms = 50;

/**
 * Joins at once and stays; it joins again whenever it was disconnected. @param url of the media server, `ws:` or `wss:`
 */
export function startPersistentListener(url: string, first_token: string): PersistentListener {
  const packets_at_ms: number[] = [];
  const refused_at_ms: number[] = [];
  const tokens = new Set([first_token]);
  const stopping = new AbortController();
  let sid = '';

  async function stayConnected(token: string): Promise<void> {
    const ended = Promise.withResolvers<void>();
    const listener = await RoomListener.join(url, token, {
      onTracks: () => undefined,
      onSpeaking: () => undefined,
      onPacket: ({ payload }) => {
        if (payload.length > 0) packets_at_ms.push(performance.now());
      },
      onEnd: () => ended.resolve(),
      onOther(message) {
        if (message.case === 'refreshToken') tokens.add(message.value);
      },
    });
    sid = listener.own_sid;
    stopping.signal.addEventListener('abort', () => listener.leave());
    // While audio arrives there is no reason to try another token.
    for (let packet_count = -1; packet_count < packets_at_ms.length && !stopping.signal.aborted;) {
      packet_count = packets_at_ms.length;
      await Promise.race([ended.promise, wait(attempt_ms)]);
    }
    listener.leave();
  }

  async function loop(): Promise<void> {
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      const all = [...tokens];
      // The newest first, because it is the most likely to be accepted.
      const token = all[all.length - 1 - (attempt % all.length)] ?? first_token;
      try {
        if (attempt % 4 === 3) await resume(url, token, sid);
        else await stayConnected(token);
      } catch {
        refused_at_ms.push(performance.now());
      }
      await wait(pause_ms);
    }
  }

  const running = loop();
  return {
    packets_at_ms,
    refused_at_ms,
    tokens,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Tries to resume an earlier session, by its id in the room. @throws Error when the media server does not accept the
 * socket
 */
async function resume(url: string, access_token: string, sid: string): Promise<void> {
  const address = new URL('/rtc', url);
  const query = { access_token, reconnect: '1', sid, protocol: '15', sdk: 'js' };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const socket = new WebSocket(address, { handshakeTimeout: 5_000 });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
    socket.once('open', () => setTimeout(resolve, attempt_ms));
  });
  socket.terminate();
}

/** A hostile client of a call: it joins again and again with every token that it was ever handed, and counts what it hears. */
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { RoomListener } from '../../sfu/clients/recorder/room-listener.ts';

export type PersistentListener = {
  /** When each packet of sound came, in ms of `performance.now()`. */
  packets_at_ms: number[];
  /** The tokens that it was handed so far, those that the media server renewed among them. */
  tokens: ReadonlySet<string>;
  /** When each attempt to join was refused. */
  refused_at_ms: number[];
  stop(): Promise<void>;
};

/** How long each attempt is kept before the next token is tried: as long as a join and the first sound take. */
const stay_ms = 700;
const pause_ms = 50;

/** Joins at once and stays; whenever it is out it comes back. @param url of the media server, `ws:` or `wss:` */
export function startPersistentListener(url: string, first_token: string): PersistentListener {
  const packets_at_ms: number[] = [];
  const refused_at_ms: number[] = [];
  const tokens = new Set([first_token]);
  const stopping = new AbortController();
  let sid = '';

  async function stay(token: string): Promise<void> {
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
    // While it hears something there is no reason to try another way.
    for (let heard = -1; heard < packets_at_ms.length && !stopping.signal.aborted;) {
      heard = packets_at_ms.length;
      await Promise.race([ended.promise, wait(stay_ms)]);
    }
    listener.leave();
  }

  async function loop(): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const all = [...tokens];
      // The newest first, which is the one that is most likely to be taken.
      const token = all[all.length - 1 - (turn % all.length)] ?? first_token;
      try {
        if (turn % 4 === 3) await resume(url, token, sid);
        else await stay(token);
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

/** Tries to take up an earlier stay, by its number in the room. @throws Error when the media server does not take the socket */
async function resume(url: string, access_token: string, sid: string): Promise<void> {
  const address = new URL('/rtc', url);
  const query = { access_token, reconnect: '1', sid, protocol: '15', sdk: 'js' };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const socket = new WebSocket(address, { handshakeTimeout: 5_000 });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
    socket.once('open', () => setTimeout(resolve, stay_ms));
  });
  socket.terminate();
}

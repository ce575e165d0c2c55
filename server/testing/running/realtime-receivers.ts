/** Minimal receivers of the realtime stream, for tests of how streams end. */
import { WebSocket } from 'ws';

export type Ended = { code: number; at_ms: number };

export type Receiver = {
  /** Everything received so far, as text. */
  received: string[];
  /** How it ended: a websocket's close code, 0 for a stream; `at_ms` on the monotonic clock. */
  closed: Promise<Ended>;
  close(): void;
};

/** Connects a websocket with a grant, and resolves once the service has sent its first message. */
export async function openSocket(
  grant: { url: string; token: string },
  last_event_id?: string,
): Promise<Receiver & { socket: WebSocket }> {
  const socket = new WebSocket(grant.url, { perMessageDeflate: false });
  const received: string[] = [];
  const closed = new Promise<Ended>((resolve) => {
    socket.once('close', (code) => resolve({ code, at_ms: performance.now() }));
  });
  socket.on('error', () => undefined);
  socket.once('open', () => socket.send(JSON.stringify({ type: 'resume', token: grant.token, last_event_id })));
  await new Promise<void>((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      received.push(data.toString());
      resolve();
    });
    void closed.then(({ code }) => reject(new Error(`the socket closed with ${code} before its first message`)));
  });
  return { socket, received, closed, close: () => socket.terminate() };
}

/**
 * Opens the stream as server-sent events with a bearer token, and resolves once the service has sent its first message.
 */
export async function openSse(url: string, token: string): Promise<Receiver> {
  const abort = new AbortController();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: abort.signal });
  if (response.status !== 200 || !response.body) throw new Error(`the stream returned ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const received: string[] = [];
  const first = await reader.read();
  received.push(first.value ?? '');
  const read = async (): Promise<Ended> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) received.push(next.value);
    return { code: 0, at_ms: performance.now() };
  };
  const closed = read().catch(() => ({ code: 0, at_ms: performance.now() }));
  return { received, closed, close: () => abort.abort() };
}

/**
 * An open-loop load generator: requests are sent at a rate, whether or not earlier responses have arrived, as with many
 * users. A client that waits for its responses slows down with the service, which hides an overload.
 */
import { connect, type Socket } from 'node:net';

/** One request; `body` is JSON. */
export type Request = { method: string; path: string; token?: string; body?: string };

/** The result of one run. */
export type Outcome = {
  /** Requests that were scheduled. */
  offered: number;
  /** Milliseconds from the scheduled time of each accepted request to its response (2xx). */
  accepted_ms: number[];
  /** The latencies of those that were refused with 503 or 429 and `Retry-After`. */
  shed_ms: number[];
  /** Requests that found no free connection. */
  unsent: number;
  /** Responses of any other kind, by status; 0 when there was none. */
  other: Map<number, number>;
  /** Of each slice of the schedule, the requests that were due in it, and those of them that were accepted. */
  slices: { offered: number; accepted: number }[];
};

/** The length of a slice: longer than a usual stall of a virtual machine, so that one stall spoils one or two of them. */
const slice_ms = 100;

/** The maximum number of connections: while all of them wait for a response, further requests are not sent. */
const max_connections = 1000;
/** Responses that have not arrived this long after the last request count as none. */
const patience_ms = 15_000;

type Answer = { status: number; has_retry_after: boolean };

/** A persistent connection with at most one request in flight. */
type Channel = { socket: Socket; answered: ((answer: Answer | undefined) => void) | undefined };

/** Offers `rate` requests per second for `duration_ms`, and resolves when all are answered or have timed out. */
export async function offer(port: number, rate: number, duration_ms: number, next: () => Request): Promise<Outcome> {
  const outcome: Outcome = { offered: 0, accepted_ms: [], shed_ms: [], unsent: 0, other: new Map(), slices: [] };
  const idle: Channel[] = [];
  const all = new Set<Channel>();
  let unanswered = 0;

  const sliceAt = (at_ms: number) => {
    const place = Math.floor((at_ms - started_ms) / slice_ms);
    return (outcome.slices[place] ??= { offered: 0, accepted: 0 });
  };
  const note = (at_ms: number, answer: Answer | undefined) => {
    unanswered -= 1;
    const took_ms = performance.now() - at_ms;
    const status = answer?.status ?? 0;
    if (status >= 200 && status < 300) {
      outcome.accepted_ms.push(took_ms);
      sliceAt(at_ms).accepted += 1;
    } else if ((status === 503 || status === 429) && answer?.has_retry_after) outcome.shed_ms.push(took_ms);
    else outcome.other.set(status, (outcome.other.get(status) ?? 0) + 1);
  };
  const send = (channel: Channel, { at_ms, bytes }: { at_ms: number; bytes: string }) => {
    channel.answered = (answer) => {
      channel.answered = undefined;
      note(at_ms, answer);
      if (answer) idle.push(channel);
      else all.delete(channel);
    };
    channel.socket.write(bytes);
  };
  const dispatch = (at_ms: number) => {
    sliceAt(at_ms).offered += 1;
    let channel = idle.pop();
    if (!channel && all.size < max_connections) all.add((channel = openChannel(port)));
    if (channel) {
      unanswered += 1;
      send(channel, { at_ms, bytes: encode(next()) });
    } else outcome.unsent += 1;
  };

  const started_ms = performance.now();
  await new Promise<void>((resolve) => {
    const tick = setInterval(() => {
      const elapsed_ms = Math.min(performance.now() - started_ms, duration_ms);
      for (; outcome.offered < (elapsed_ms * rate) / 1000; outcome.offered++) {
        // Measured from the scheduled time, so that a late timer tick neither excuses the service nor hides waiting.
        dispatch(started_ms + (outcome.offered * 1000) / rate);
      }
      const is_over = elapsed_ms >= duration_ms && unanswered === 0;
      if (!is_over && performance.now() - started_ms < duration_ms + patience_ms) return;
      clearInterval(tick);
      resolve();
    }, 1);
  });
  if (unanswered > 0) outcome.other.set(0, (outcome.other.get(0) ?? 0) + unanswered);
  for (const { socket } of all) socket.destroy();
  return outcome;
}

function encode({ method, path, token, body }: Request): string {
  const authorization = token ? `Authorization: Bearer ${token}\r\n` : '';
  const content = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}${content}\r\n${body ?? ''}`;
}

/** Connects, and parses only the status, length and `Retry-After` of responses: the generator must use little CPU. */
function openChannel(port: number): Channel {
  const channel: Channel = { socket: connect(port, '127.0.0.1'), answered: undefined };
  let received = '';
  channel.socket.setNoDelay(true);
  channel.socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    const head_end = received.indexOf('\r\n\r\n');
    if (head_end < 0) return;
    const head = received.slice(0, head_end).toLowerCase();
    const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
    if (received.length < head_end + 4 + length) return;
    received = '';
    channel.answered?.({ status: Number(head.slice(9, 12)), has_retry_after: head.includes('retry-after: ') });
  });
  channel.socket.on('error', () => undefined).once('close', () => channel.answered?.(undefined));
  return channel;
}

/**
 * Sends requests one after the other on each of `connections` connections for `duration_ms`.
 * @returns the number of responses per millisecond
 */
export async function saturate(port: number, connections: number, duration_ms: number, next: () => Request) {
  const started_ms = performance.now();
  let answered = 0;
  const work = async () => {
    const channel = openChannel(port);
    for (let open = true; open && performance.now() - started_ms < duration_ms;) {
      const answer = await new Promise<Answer | undefined>((resolve) => {
        channel.answered = resolve;
        channel.socket.write(encode(next()));
      });
      open = answer !== undefined;
      if (answer?.status === 200) answered += 1;
    }
    channel.socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return answered / (performance.now() - started_ms);
}

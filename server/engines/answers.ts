/**
 * The answers of outside providers, whose size and duration are theirs: every adapter reads them here, within the same
 * limits, so that none can take the memory or the time of the service.
 */
import { addAbortSignal, Readable } from 'node:stream';

/** Those of the table of limits (`kernel/load/limits.ts`), which adapters do not import. */
export const answer_limits = {
  provider_answer_bytes: 1024 * 1024,
  media_answer_bytes: 8 * 1024 * 1024,
  push_answer_bytes: 16 * 1024,
};
const { provider_answer_bytes, push_answer_bytes } = answer_limits;

/** A request of an adapter. */
export type ProviderRequest = Omit<RequestInit, 'redirect' | 'signal'> & {
  /** The time limit of the whole exchange, including the body of the answer. */
  timeout_ms: number;
  /** The limit of the answer; `provider_answer_bytes` by default. */
  max_bytes?: number;
  /** Ends the request early. */
  signal?: AbortSignal;
};

/** An answer that was read as a whole. */
export type ProviderAnswer = { ok: boolean; status: number; headers: Headers; text: string };

/**
 * Sends a request and reads the whole answer. A redirect is an error: it would send credentials to another host.
 * @throws when there is no complete answer in time, and for one that is longer than `max_bytes`
 */
export async function askProvider(
  url: string,
  { timeout_ms, signal, max_bytes, ...init }: ProviderRequest,
): Promise<ProviderAnswer> {
  const timeout = AbortSignal.timeout(timeout_ms);
  const answer = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  const { ok, status, headers } = answer;
  const bytes = collectAnswer(max_bytes);
  // Leaving the loop early ends the connection.
  for await (const piece of answer.body ?? []) bytes.add(piece);
  return { ok, status, headers, text: bytes.text() };
}

/** Counts the bytes of an answer. @returns throws once its pieces are more than `max_bytes` */
function createCounter(max_bytes: number): (piece: Uint8Array) => void {
  let length = 0;
  return (piece) => {
    length += piece.length;
    if (length > max_bytes) throw new Error(`the answer is longer than ${max_bytes} bytes`);
  };
}

/** Collects the pieces of an answer. `add` throws once they are more than `max_bytes`. */
export function collectAnswer(max_bytes = provider_answer_bytes): { add(piece: Uint8Array): void; text(): string } {
  const pieces: Uint8Array[] = [];
  const count = createCounter(max_bytes);
  return {
    add(piece) {
      count(piece);
      pieces.push(piece);
    },
    text: () => Buffer.concat(pieces).toString('utf8'),
  };
}

/** An answer for somebody else to read: an error once it is longer than `provider_answer_bytes`, or takes longer than a time limit. */
export function limitAnswer(answer: Readable, timeout_ms: number): Readable {
  addAbortSignal(AbortSignal.timeout(timeout_ms), answer);
  async function* pieces() {
    const count = createCounter(provider_answer_bytes);
    // Leaving the loop early ends the connection.
    for await (const piece of answer as AsyncIterable<Buffer>) {
      count(piece);
      yield piece;
    }
  }
  return Readable.from(pieces(), { objectMode: false });
}

/** Drops an answer whose length is up to a stranger, and cuts it off when it is longer than `push_answer_bytes`. */
export function dropAnswer(answer: Readable): void {
  let length = 0;
  answer.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > push_answer_bytes) answer.destroy();
  });
  answer.once('error', () => undefined);
}

/** What a text contains as JSON; an empty object for anything else than an object. */
export function readJson<T extends object>(text: string): Partial<T> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Partial<T>) : {};
  } catch {
    return {};
  }
}

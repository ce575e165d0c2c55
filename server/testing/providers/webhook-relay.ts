/** An unreliable connection between a media server and the service, which loses, duplicates and reorders webhooks. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook request of a media server; `kind` is its event. */
export type Webhook = { kind: string; raw_body: string; authorization: string };

/** Stands between a media server and the service, and loses and repeats webhooks. */
export type WebhookRelay = {
  url: string;
  /** What the media server sent, in its order. */
  sent: readonly Webhook[];
  /** What was lost and duplicated, by the kind of event. */
  dropped: readonly string[];
  duplicated: readonly string[];
  /** How many arrived at the service after one that was sent later. */
  reordered(): number;
  /** Delivers one webhook to the service directly; returns the status of its reply. */
  deliver(hook: Pick<Webhook, 'raw_body' | 'authorization'>): Promise<number>;
  close(): Promise<void>;
};

/** How many are held to be reordered, and for how long at most. */
const held_count = 3;
const held_ms = 400;

/**
 * Starts the relay. Of each kind of event the first is lost, the second duplicated, the third forwarded once, and so
 * on; they are forwarded in reverse order. The media server receives a success each time, so that it does not retry.
 * @param target the service's own address for webhooks, known when the first one arrives
 */
export async function startWebhookRelay(target: () => string): Promise<WebhookRelay> {
  const sent: Webhook[] = [];
  const lost: string[] = [];
  const doubled: string[] = [];
  const arrived: number[] = [];
  const counts = new Map<string, number>();
  let held: number[] = [];
  let timer: NodeJS.Timeout | undefined;

  const deliver = async ({ raw_body, authorization }: Pick<Webhook, 'raw_body' | 'authorization'>) => {
    const headers = { 'content-type': 'application/webhook+json', authorization };
    return (await fetch(target(), { method: 'POST', headers, body: raw_body })).status;
  };
  async function release(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const numbers = held.toReversed();
    held = [];
    for (const number of numbers) {
      arrived.push(number);
      // A stopped service has lost it, which this relay simulates.
      await deliver(sent[number]!).catch(() => undefined);
    }
  }
  function receive(hook: Webhook): void {
    const number = sent.push(hook) - 1;
    const nth = counts.get(hook.kind) ?? 0;
    counts.set(hook.kind, nth + 1);
    if (nth % 3 === 0) {
      lost.push(hook.kind);
      return;
    }
    held.push(number);
    if (nth % 3 === 1) {
      doubled.push(hook.kind);
      held.push(number);
    }
    timer ??= setTimeout(() => void release(), held_ms);
    if (held.length >= held_count) void release();
  }

  const server = createServer(async (request, response) => {
    const raw_body = await readAll(request);
    const { event } = JSON.parse(raw_body) as { event: string };
    receive({ kind: event, raw_body, authorization: request.headers.authorization ?? '' });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sent,
    dropped: lost,
    duplicated: doubled,
    reordered: () => arrived.filter((number, at) => arrived.slice(0, at).some((earlier) => earlier > number)).length,
    deliver,
    async close() {
      clearTimeout(timer);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

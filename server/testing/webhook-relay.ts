/** A bad line between a media server and the service: webhooks are lost, doubled and overtaken on it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Webhook = { kind: string; raw_body: string; authorization: string };

export type WebhookRelay = {
  url: string;
  /** What the media server sent, in its order. */
  sent: readonly Webhook[];
  /** What became of it, by the kind of event. */
  lost: readonly string[];
  doubled: readonly string[];
  /** How many came to the service after one that was sent later. */
  overtaken(): number;
  /** One delivery to the service as it is, outside all of this; the status that it answers with. */
  deliver(hook: Pick<Webhook, 'raw_body' | 'authorization'>): Promise<number>;
  close(): Promise<void>;
};

/** How many are kept back to be turned round, and how long the last of them at most. */
const held_count = 3;
const held_ms = 400;

/**
 * Starts the relay. Of each kind of event the first is lost, the second doubled, the third passed on once, and so on;
 * what is passed on goes out in the opposite order. The media server is told each time that all is well, so that it does
 * not send it again.
 * @param target the service's own address for webhooks, known when the first one comes
 */
export async function startWebhookRelay(target: () => string): Promise<WebhookRelay> {
  const sent: Webhook[] = [];
  const lost: string[] = [];
  const doubled: string[] = [];
  const came: number[] = [];
  const seen = new Map<string, number>();
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
      came.push(number);
      // A service that is away has lost it; which is what this line is for.
      await deliver(sent[number]!).catch(() => undefined);
    }
  }
  function take(hook: Webhook): void {
    const number = sent.push(hook) - 1;
    const nth = seen.get(hook.kind) ?? 0;
    seen.set(hook.kind, nth + 1);
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
    take({ kind: event, raw_body, authorization: request.headers.authorization ?? '' });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sent,
    lost,
    doubled,
    overtaken: () => came.filter((number, at) => came.slice(0, at).some((earlier) => earlier > number)).length,
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

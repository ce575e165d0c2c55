import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { WebhookEvent } from '@livekit/protocol';
import { LIMITS } from '../limits.ts';
import { signToken } from '../token.ts';

/** Where webhooks are sent, and the key that signs them. */
export type WebhookOptions = {
  url: string;
  api_key: string;
  api_secret: string;
  /** The delay before the first retry in ms; it doubles each time. */
  retry_wait_ms?: number;
  onError?: (event: WebhookEvent, error: unknown) => void;
};

/** Delivers events to one address, in order within each room. */
export type WebhookSender = {
  send(room: string, event: WebhookEvent): void;
  /** Resolves when the queue is empty, or drops what is left after `within_ms`. */
  close(within_ms: number): Promise<void>;
};

/**
 * Sends events as LiveKit does: JSON of the WebhookEvent with content type `application/webhook+json`, and an
 * Authorization header with a JWT whose `sha256` claim is the base64 digest of the body. An event is tried five times
 * with growing delays and then dropped; the next event of its room is sent only after that.
 */
export function createWebhookSender(options: WebhookOptions): WebhookSender {
  const queues = new Map<string, WebhookEvent[]>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function deliver(event: WebhookEvent): Promise<void> {
    const body = event.toJsonString();
    const sha256 = createHash('sha256').update(body).digest('base64');
    for (let attempt = 1; ; attempt++) {
      try {
        const now_s = Math.floor(Date.now() / 1000);
        const claims = { iss: options.api_key, nbf: now_s - 5, exp: now_s + 300, sha256 };
        const response = await fetch(options.url, {
          method: 'POST',
          headers: { 'content-type': 'application/webhook+json', authorization: signToken(claims, options.api_secret) },
          body,
          signal: AbortSignal.any([AbortSignal.timeout(LIMITS.webhook_timeout_ms), stopping.signal]),
        });
        await response.body?.cancel();
        if (response.ok) return;
        throw new Error(`status ${response.status}`);
      } catch (error) {
        if (attempt >= LIMITS.webhook_attempts || stopping.signal.aborted) {
          options.onError?.(event, error);
          return;
        }
        const wait_ms = (options.retry_wait_ms ?? 500) * 2 ** (attempt - 1);
        await wait(wait_ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async function drain(room: string, queue: WebhookEvent[]): Promise<void> {
    for (let event = queue[0]; event; event = queue[0]) {
      await deliver(event);
      queue.shift();
    }
    queues.delete(room);
  }

  return {
    send(room, event) {
      const queue = queues.get(room);
      if (queue) {
        if (queue.push(event) > LIMITS.webhook_queue_events) queue.splice(1, 1);
        return;
      }
      const fresh = [event];
      queues.set(room, fresh);
      const task = drain(room, fresh).finally(() => running.delete(task));
      running.add(task);
    },
    async close(within_ms) {
      const deadline = setTimeout(() => stopping.abort(), within_ms);
      await Promise.all(running);
      clearTimeout(deadline);
    },
  };
}

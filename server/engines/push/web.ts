/** Web Push: encrypted for the browser (RFC 8291), with the service's own key (VAPID, RFC 8292), by HTTP (RFC 8030). */
import { request, type Agent } from 'node:https';
import webpush from 'web-push';
import { dropAnswer } from '../answers.ts';
import type { PushMessage, PushService } from '../ports.ts';

/** The VAPID keys of the service (RFC 8292), as base64url, and how it reaches push services. */
export type WebPushOptions = {
  public_key: string;
  private_key: string;
  /** A contact address for push services: `mailto:` or `https:`. */
  subject: string;
  /** Does not connect to private networks: the endpoint is user input. */
  agent: Agent;
  /** Whether an address may be requested at all. */
  isAllowed(url: string): boolean;
  timeout_ms?: number;
};

/** Generates a VAPID key pair, as base64url. */
export function generateVapidKeys(): { public_key: string; private_key: string } {
  const { publicKey, privateKey } = webpush.generateVAPIDKeys();
  return { public_key: publicKey, private_key: privateKey };
}

/** Opens Web Push. A subscription with a forbidden endpoint counts as gone. */
export function createWebPush(options: WebPushOptions): PushService {
  const { public_key, private_key, subject, agent, isAllowed, timeout_ms = 10_000 } = options;
  const vapidDetails = { subject, publicKey: public_key, privateKey: private_key };
  return {
    async send(target, message) {
      if (target.platform !== 'web' || !isAllowed(target.subscription.endpoint)) return 'gone';
      const { headers, body } = webpush.generateRequestDetails(target.subscription, payloadOf(message), {
        vapidDetails,
        TTL: message.ttl_s,
        urgency: message.urgent ? 'high' : 'normal',
        topic: message.topic,
        contentEncoding: 'aes128gcm',
      });
      const status = await post(target.subscription.endpoint, { agent, timeout_ms, headers: headers ?? {}, body });
      if (status === 404 || status === 410 || status === 'forbidden') return 'gone';
      if (status < 200 || status > 299) throw new Error(`the push service of a browser answered ${status}`);
      return 'sent';
    },
    close() {
      agent.destroy();
      return Promise.resolve();
    },
  };
}

/** The payload for the service worker. */
function payloadOf({ id, title, text, data }: PushMessage): string {
  return JSON.stringify({ ...data, id, ...(title ? { title } : {}), ...(text ? { text } : {}) });
}

type Post = { agent: Agent; timeout_ms: number; headers: object; body: unknown };

/**
 * Posts without following redirects; the body of the answer is dropped. Errors do not contain the address, since that is a
 * secret of the browser.
 */
function post(url: string, { agent, timeout_ms, headers, body }: Post): Promise<number | 'forbidden'> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeout_ms);
    const sent_request = request(url, { method: 'POST', agent, headers: { ...headers }, signal }, (response) => {
      dropAnswer(response);
      resolve(response.statusCode ?? 0);
    });
    sent_request.once('error', (error: Error & { code?: string }) => {
      if (error.name === 'ForbiddenAddressError') resolve('forbidden');
      else reject(new Error(`the push service of a browser could not be reached: ${error.code ?? error.name}`));
    });
    sent_request.end(body);
  });
}

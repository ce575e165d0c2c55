/**
 * Pushes to Apple's devices over HTTP/2, with a provider token
 * (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
 */
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { importPKCS8, SignJWT } from 'jose';
import { collectAnswer, readJson } from '../answers.ts';
import type { PushMessage, PushService } from '../ports.ts';

/** A key for token-based connections to Apple's push service. */
export type ApnsOptions = {
  team_id: string;
  key_id: string;
  /** The private key of the team, PKCS #8 as PEM. */
  private_key: string;
  /** The app's bundle identifier. */
  topic: string;
  /** Another address than Apple's, for the sandbox and for tests, and its certificate authority. */
  base_url?: string;
  ca?: string;
  timeout_ms?: number;
};

/** Apple requires a token to be used for 20 to 60 minutes. */
const token_ms = 40 * 60_000;
const gone_reasons = ['BadDeviceToken', 'DeviceTokenNotForTopic', 'ExpiredToken', 'Unregistered'];

/** Opens APNs. One connection carries all messages; it is reopened when it has ended. */
export function createApnsPush(options: ApnsOptions): PushService {
  const { base_url = 'https://api.push.apple.com', ca, timeout_ms = 10_000, topic } = options;
  const tokens = createTokens(options);
  let session: ClientHttp2Session | undefined;
  const open = () => {
    if (session && !session.closed && !session.destroyed) return session;
    const opened = connect(base_url, ca ? { ca } : {});
    session = opened;
    opened.setTimeout(10 * 60_000, () => opened.close());
    opened.unref();
    // Each request reports its own failure; the session's error event must not end the process.
    opened.on('error', () => undefined);
    opened.once('goaway', () => opened.close());
    return opened;
  };
  const tell = async (token: string, message: PushMessage, rings: boolean): Promise<'sent' | 'gone'> => {
    const headers = { ...headersOf(message, topic, rings), authorization: `bearer ${await tokens.current()}` };
    const path = `/3/device/${encodeURIComponent(token)}`;
    const { status, reason } = await post(open(), { ...headers, ':path': path }, bodyOf(message), timeout_ms);
    if (status === 200) return 'sent';
    if (status === 410 || gone_reasons.includes(reason)) return 'gone';
    if (reason === 'ExpiredProviderToken') tokens.forget();
    throw new Error(`APNs refused a push: ${status} ${reason}`);
  };
  return {
    async send(target, message) {
      if (target.platform !== 'ios') return 'gone';
      const { token, voip_token } = target;
      // Apple terminates apps that receive such a push and report no call, so that it is only used while a call rings.
      const rings = voip_token !== undefined && message.urgent && !message.quiet;
      if (rings && (await tell(voip_token, message, true)) === 'sent') return 'sent';
      return tell(token, message, false);
    },
    close() {
      session?.destroy();
      return Promise.resolve();
    },
  };
}

/** Provider tokens (ES256), cached while they are valid. */
function createTokens({ team_id, key_id, private_key }: ApnsOptions) {
  let known: { token: string; made_at_ms: number } | undefined;
  return {
    async current(): Promise<string> {
      if (known && performance.now() - known.made_at_ms < token_ms) return known.token;
      const key = await importPKCS8(private_key, 'ES256');
      const claims = new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: key_id }).setIssuer(team_id).setIssuedAt();
      known = { token: await claims.sign(key), made_at_ms: performance.now() };
      return known.token;
    },
    forget() {
      known = undefined;
    },
  };
}

/**
 * With `rings`, for PushKit: the app's own topic for calls, and no collapsing
 * (https://developer.apple.com/documentation/pushkit).
 */
function headersOf(
  { topic: collapse_id, urgent, ttl_s }: PushMessage,
  topic: string,
  rings: boolean,
): Record<string, string> {
  // Apple uses the wall clock; the service's clock may be moved in tests.
  const expires_s = Math.floor(Date.now() / 1000) + ttl_s;
  return {
    ':method': 'POST',
    'apns-topic': rings ? `${topic}.voip` : topic,
    'apns-push-type': rings ? 'voip' : 'alert',
    'apns-priority': urgent ? '10' : '5',
    'apns-expiration': String(expires_s),
    ...(rings ? {} : { 'apns-collapse-id': collapse_id }),
  };
}

/** Without a text the app shows its own, by the key `push.quiet`. */
function bodyOf({ id, title, text, data, urgent, quiet }: PushMessage): string {
  const alert = text ? { ...(title ? { title } : {}), body: text } : { 'loc-key': 'push.quiet' };
  const loud = { sound: 'default', ...(urgent ? { 'interruption-level': 'time-sensitive' } : {}) };
  const manner = quiet ? { 'interruption-level': 'passive' } : loud;
  return JSON.stringify({ aps: { alert, 'mutable-content': 1, ...manner }, id, ...data });
}

function post(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body: string,
  timeout_ms: number,
): Promise<{ status: number; reason: string }> {
  return new Promise((resolve, reject) => {
    const lost = (error: Error & { code?: string }) =>
      reject(new Error(`APNs could not be reached: ${error.code ?? error.message}`));
    const stream = session.request(headers);
    let status = 0;
    const answer = collectAnswer();
    const giveUp = (error: Error) => {
      stream.close(constants.NGHTTP2_CANCEL);
      lost(error);
    };
    // Of the whole exchange, also where an answer arrives little by little.
    const timer = setTimeout(giveUp, timeout_ms, new Error('timeout'));
    stream.once('response', (given) => (status = Number(given[':status'])));
    stream.on('data', (piece: Buffer) => {
      try {
        answer.add(piece);
      } catch (error) {
        giveUp(error as Error);
      }
    });
    stream.once('error', lost);
    stream.once('close', () => {
      clearTimeout(timer);
      if (status === 0) lost(new Error('closed'));
      else resolve({ status, reason: String(readJson<{ reason: unknown }>(answer.text()).reason ?? '') });
    });
    stream.end(body);
  });
}

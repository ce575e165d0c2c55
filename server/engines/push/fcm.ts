/**
 * Pushes to Android devices by Firebase Cloud Messaging, HTTP v1
 * (https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages/send).
 */
import { importPKCS8, SignJWT } from 'jose';
import { askProvider, readJson } from '../answers.ts';
import type { PushMessage, PushService } from '../ports.ts';

/** The relevant fields of a service account file. */
export type ServiceAccount = { project_id: string; client_email: string; private_key: string; token_uri: string };

/** A project of Firebase Cloud Messaging, by its service account. */
export type FcmOptions = {
  account: ServiceAccount;
  /** Another address than Google's, for tests. */
  base_url?: string;
  timeout_ms?: number;
};

const scope = 'https://www.googleapis.com/auth/firebase.messaging';
/** How long before its expiry a token is renewed. */
const margin_ms = 60_000;

/** Opens FCM. Access tokens are requested with a signed assertion (RFC 7523) and cached while they are valid. */
export function createFcmPush({
  account,
  base_url = 'https://fcm.googleapis.com',
  timeout_ms = 10_000,
}: FcmOptions): PushService {
  const address = `${base_url}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`;
  let known: { token: string; good_until_ms: number } | undefined;
  const current = async () => {
    if (!known || performance.now() >= known.good_until_ms) known = await askToken(account, timeout_ms);
    return known.token;
  };
  return {
    async send(target, message) {
      if (target.platform !== 'android') return 'gone';
      const answer = await askProvider(address, {
        method: 'POST',
        headers: { authorization: `Bearer ${await current()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ message: { token: target.token, ...messageOf(message) } }),
        timeout_ms,
      });
      if (answer.ok) return 'sent';
      const refusal = readRefusal(readJson(answer.text));
      if (answer.status === 401) known = undefined;
      if (isGone(answer.status, refusal)) return 'gone';
      throw new Error(`FCM refused a push: ${answer.status} ${refusal.code}`);
    },
    close: () => Promise.resolve(),
  };
}

/** Calls and messages without a text are sent as data only, which the app renders. */
function messageOf({ id, topic, title, text, data, urgent, ttl_s }: PushMessage): object {
  const shown = text && !urgent ? { notification: { ...(title ? { title } : {}), body: text } } : {};
  const notification = { ...(title ? { title } : {}), ...(text ? { text } : {}) };
  return {
    ...shown,
    data: { ...data, ...notification, id },
    android: {
      priority: urgent ? 'high' : 'normal',
      ttl: `${ttl_s}s`,
      collapse_key: topic,
      ...(text && !urgent ? { notification: { tag: topic } } : {}),
    },
  };
}

type Refusal = { code: string; fields: string[] };

type Detail = { errorCode?: string; fieldViolations?: { field?: string }[] };

function readRefusal({ error }: { error?: { status?: string; details?: Detail[] } }): Refusal {
  const details = error?.details ?? [];
  return {
    code: details.find(({ errorCode }) => errorCode)?.errorCode ?? error?.status ?? '',
    fields: details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field = '' }) => field)),
  };
}

/** Unregistered, of another sender, or never a token. */
function isGone(status: number, { code, fields }: Refusal): boolean {
  if (status === 404 || code === 'UNREGISTERED' || code === 'SENDER_ID_MISMATCH') return true;
  return code === 'INVALID_ARGUMENT' && fields.includes('message.token');
}

async function askToken(
  { client_email, private_key, token_uri }: ServiceAccount,
  timeout_ms: number,
): Promise<{ token: string; good_until_ms: number }> {
  const asked_at_ms = performance.now();
  const key = await importPKCS8(private_key, 'RS256');
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(client_email)
    .setAudience(token_uri)
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(key);
  const answer = await askProvider(token_uri, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
    timeout_ms,
  });
  const { access_token, expires_in } = readJson<{ access_token: string; expires_in: number }>(answer.text);
  if (!answer.ok || !access_token) throw new Error(`Google refused an access token: ${answer.status}`);
  return { token: access_token, good_until_ms: asked_at_ms + (expires_in ?? 0) * 1000 - margin_ms };
}

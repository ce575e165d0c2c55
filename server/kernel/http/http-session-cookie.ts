/**
 * Cookies for browsers. A page opts in with the header `Asterism-Session: cookie`: the refresh token then travels in a
 * cookie that scripts cannot read (RFC 6265, HttpOnly) instead of the body, and a second cookie marks a device on which
 * a user has signed in before (OWASP, device cookies). A form on another site can send neither: the cookies are
 * `SameSite=Strict`, and a form cannot set the header.
 */
import { randomBytes } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import type { Exchange } from './http-exchange.ts';
import type { StoredAnswer } from './idempotency.ts';
import type { Secrets } from '../security/secret.ts';

const refresh_name = 'asterism_refresh';
const device_name = 'asterism_device';
const refresh_path = '/auth/refresh';
const device_path = '/auth/login';
const device_ttl_s = 400 * 24 * 60 * 60;
/** A longer cookie header is ignored; browsers send far less. */
const max_header_characters = 16_384;

const wantsCookies = (request: FastifyRequest): boolean => request.headers['asterism-session'] === 'cookie';

/** The cookies of a request that opts in to them. */
export function readSessionCookies(request: FastifyRequest): { refresh_cookie?: string; device_cookie?: string } {
  const header = request.headers.cookie;
  if (header === undefined || header.length > max_header_characters || !wantsCookies(request)) return {};
  const { [refresh_name]: refresh_cookie, [device_name]: device_cookie } = parseCookie(header);
  return { ...(refresh_cookie ? { refresh_cookie } : {}), ...(device_cookie ? { device_cookie } : {}) };
}

type SignedIn = { refresh_token?: string; refresh_expires_at: string; user: { id: string } };

/**
 * Moves the refresh token of an answer into a cookie, for a browser that opts in, and removes the cookie when the
 * session ends.
 * @param base_path the prefix of all operation paths, such as `/v1`
 */
export function answerWithCookies(
  { endpoint, services, reply }: Exchange,
  base_path: string,
  answer: StoredAnswer,
): StoredAnswer {
  const { request } = reply;
  if (!endpoint.session || !wantsCookies(request) || answer.status >= 300) return answer;
  const is_secure = services.public_url.startsWith('https:');
  const set = (name: string, value: string, path: string, max_age_s: number) =>
    reply.header(
      'set-cookie',
      stringifySetCookie({
        name,
        value,
        path: base_path + path,
        maxAge: max_age_s,
        httpOnly: true,
        sameSite: 'strict',
        secure: is_secure,
      }),
    );
  if (endpoint.session === 'ends') {
    set(refresh_name, '', refresh_path, 0);
    return answer;
  }
  const { refresh_token, ...rest } = JSON.parse(answer.body) as SignedIn;
  // A sign-in that still waits for its code has no token yet.
  if (refresh_token === undefined) return answer;
  const ttl_s = Math.floor((Date.parse(rest.refresh_expires_at) - services.clock.now().getTime()) / 1000);
  set(refresh_name, refresh_token, refresh_path, Math.max(0, ttl_s));
  const { device_cookie } = request.admitted.origin;
  if (!device_cookie || !isDeviceOf(services.secrets, device_cookie, rest.user.id))
    set(device_name, makeDevice(services.secrets, rest.user.id), device_path, device_ttl_s);
  return { ...answer, body: JSON.stringify(rest) };
}

/** A device cookie: the user, a random part, and a signature of both. */
function makeDevice(secrets: Secrets, user_id: string): string {
  const device = `${user_id}.${randomBytes(12).toString('base64url')}`;
  return `${device}.${secrets.sign('device', device)}`;
}

/** Whether a device cookie was issued by this service to this user. */
export function isDeviceOf(secrets: Secrets, cookie: string, user_id: string): boolean {
  const end = cookie.lastIndexOf('.');
  const device = cookie.slice(0, end);
  return end > 0 && device.startsWith(`${user_id}.`) && secrets.verify('device', device, cookie.slice(end + 1));
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { TrackSource } from '@livekit/protocol';

/** The grants of a LiveKit access token, with LiveKit's defaults filled in. */
export type Grants = {
  identity: string;
  name: string;
  metadata: string;
  attributes: Record<string, string>;
  kind: string;
  room: string;
  room_join: boolean;
  room_create: boolean;
  room_list: boolean;
  room_admin: boolean;
  can_publish: boolean;
  can_subscribe: boolean;
  can_publish_data: boolean;
  can_update_own_metadata: boolean;
  /** Empty means every source. */
  can_publish_sources: TrackSource[];
  hidden: boolean;
  /** While somebody with this grant is in the room, it is marked as being recorded. */
  recorder: boolean;
  /** Whole seconds since 1970. */
  expires_at_s: number;
  /** When the token was issued, in seconds since 1970; a renewed one keeps the time of the original. 0 when unknown. */
  issued_at_s: number;
  /** The token's id (JWT `jti`); a renewed token keeps it. Empty without one. */
  token_id: string;
};

/** Why a token was rejected. The message is safe to show to the client. */
export class TokenError extends Error {
  override name = 'TokenError';
}

const SOURCES: Record<string, TrackSource> = {
  camera: TrackSource.CAMERA,
  microphone: TrackSource.MICROPHONE,
  screen_share: TrackSource.SCREEN_SHARE,
  screen_share_audio: TrackSource.SCREEN_SHARE_AUDIO,
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function parsePart(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    if (isRecord(value)) return value;
  } catch {
    // Distinguished from a wrong signature by the message below.
  }
  throw new TokenError('token is malformed');
}

const sign = (content: string, secret: string): Buffer => createHmac('sha256', secret).update(content).digest();

/**
 * Verifies a LiveKit access token (JWT, RFC 7519, HS256 only) and reads its grants.
 * @param now_s whole seconds since 1970; a clock skew of 10 s is tolerated
 * @throws TokenError when the form, algorithm, signature, issuer or time is wrong
 */
export function verifyToken(token: string, api_key: string, api_secret: string, now_s = Date.now() / 1000): Grants {
  const [header, body, signature, ...rest] = token.split('.');
  if (!header || !body || !signature || rest.length > 0 || token.length > 16_384)
    throw new TokenError('token is malformed');
  // The algorithm is fixed, never chosen by the token, or else "none" would pass.
  if (parsePart(header)['alg'] !== 'HS256') throw new TokenError('token algorithm is not HS256');
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(`${header}.${body}`, api_secret);
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new TokenError('token signature is wrong');
  const claims = parsePart(body);
  if (claims['iss'] !== api_key) throw new TokenError('token issuer is unknown');
  const expires_at_s = claims['exp'];
  if (typeof expires_at_s !== 'number' || expires_at_s + 10 < now_s) throw new TokenError('token is expired');
  if (typeof claims['nbf'] === 'number' && claims['nbf'] > now_s + 10) throw new TokenError('token is not yet valid');
  return readGrants(claims, expires_at_s);
}

function readGrants(claims: Record<string, unknown>, expires_at_s: number): Grants {
  const video = isRecord(claims['video']) ? claims['video'] : {};
  const sources = Array.isArray(video['canPublishSources']) ? video['canPublishSources'] : [];
  const attributes = isRecord(claims['attributes']) ? Object.entries(claims['attributes']) : [];
  return {
    identity: text(claims['sub']),
    name: text(claims['name']),
    metadata: text(claims['metadata']),
    attributes: Object.fromEntries(attributes.map(([key, value]) => [key, text(value)])),
    kind: text(claims['kind']),
    room: text(video['room']),
    room_join: video['roomJoin'] === true,
    room_create: video['roomCreate'] === true,
    room_list: video['roomList'] === true,
    room_admin: video['roomAdmin'] === true,
    // LiveKit grants these three unless the token denies them.
    can_publish: video['canPublish'] !== false,
    can_subscribe: video['canSubscribe'] !== false,
    can_publish_data: (video['canPublishData'] ?? video['canPublish']) !== false,
    can_update_own_metadata: video['canUpdateOwnMetadata'] === true,
    can_publish_sources: sources.map((source) => SOURCES[text(source).toLowerCase()] ?? TrackSource.UNKNOWN),
    hidden: video['hidden'] === true,
    recorder: video['recorder'] === true,
    expires_at_s,
    issued_at_s: number(claims['iat']) ?? number(claims['nbf']) ?? 0,
    token_id: text(claims['jti']),
  };
}

const nameOf = (source: TrackSource) => Object.keys(SOURCES).find((name) => SOURCES[name] === source) ?? 'unknown';

/**
 * A token with the same grants and a new expiry: otherwise a client could not reconnect once the token of its join has
 * expired.
 */
export function renewToken(grants: Grants, api_key: string, api_secret: string, ttl_s: number): string {
  const now_s = Math.floor(Date.now() / 1000);
  const { identity: sub, name, metadata, attributes, kind, room, issued_at_s: iat, token_id } = grants;
  const video = {
    room,
    roomJoin: grants.room_join,
    roomCreate: grants.room_create,
    roomList: grants.room_list,
    roomAdmin: grants.room_admin,
    canPublish: grants.can_publish,
    canSubscribe: grants.can_subscribe,
    canPublishData: grants.can_publish_data,
    canUpdateOwnMetadata: grants.can_update_own_metadata,
    canPublishSources: grants.can_publish_sources.map(nameOf),
    hidden: grants.hidden,
    recorder: grants.recorder,
  };
  const times = { iat, nbf: now_s - 5, exp: now_s + ttl_s };
  const identified = token_id === '' ? times : { ...times, jti: token_id };
  return signToken({ iss: api_key, sub, name, metadata, attributes, kind, video, ...identified }, api_secret);
}

/** Signs claims as a JWT (HS256); used for webhooks and for renewed tokens. */
export function signToken(claims: Record<string, unknown>, api_secret: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${content}.${sign(content, api_secret).toString('base64url')}`;
}

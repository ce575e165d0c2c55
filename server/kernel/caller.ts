/** Callers: which callers an operation accepts, who is calling, and from where. */

/** The HTTP methods of operations. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Which callers an operation accepts: anybody; anybody, identified if they send a token; signed-in people; signed-in
 * people with a verified mobile number; those and guests of a widget.
 */
export type Gate = 'public' | 'optional' | 'token' | 'verified' | 'guest';

/** The plans. */
export const tiers = ['free', 'plus'] as const;
/** A plan: what an account may use is bound by its tier. */
export type Tier = (typeof tiers)[number];

/** Who is calling. */
export type Caller = { user_id: string; session_id: string; mobile_verified: boolean; tier: Tier };

/**
 * A caller without an account, for operations that accept one: a guest of a widget, or of the call whose link they
 * opened.
 */
export type Guest = { guest_id: string; name: string; name_is_default: boolean; owner_id: string; place_id: string };

/** Whether a caller has no account. */
export const isGuest = (caller: Caller | Guest): caller is Guest => 'guest_id' in caller;

/** The owner of the caller's budgets, idempotency keys and signed addresses. */
export const callerIdOf = (caller: Caller | Guest): string => (isGuest(caller) ? caller.guest_id : caller.user_id);

/** The session whose end revokes the caller's token; for a guest, the widget or the call. */
export const sessionIdOf = (caller: Caller | Guest): string => (isGuest(caller) ? caller.place_id : caller.session_id);

/** Where a request came from, as far as is known. */
export type Origin = {
  ip: string;
  device: string;
  last_event_id: string | undefined;
  /** The `Origin` of the request (RFC 6454): the page from which a browser sends it. */
  web_origin: string | undefined;
  /** The raw `Accept-Language` header; parsed only where a text is produced (`kernel/language`). */
  accept_language: string | undefined;
  /** The `If-None-Match` header: the version that the client already has. */
  if_none_match: string | undefined;
  /** The bearer token of the request, where it may be a realtime grant instead of an access token. */
  grant?: string | undefined;
  /** The refresh token that a browser stores in an HttpOnly cookie; undefined without one. */
  refresh_cookie?: string | undefined;
  device_cookie?: string | undefined;
};

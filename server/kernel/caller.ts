/** Callers: who may call, who does, and from where. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: anybody, anybody who may say who they are, the signed in, the signed in with a verified mobile, and
 * these or a guest of a widget.
 */
export type Gate = 'public' | 'optional' | 'token' | 'verified' | 'guest';

/** Who is calling. */
export type Caller = { user_id: string; session_id: string; mobile_verified: boolean; tier: 'free' | 'plus' };

/** Who is calling without an account, for the operations that say so: a guest of a widget, or of the call whose link they opened. */
export type Guest = { guest_id: string; name: string; name_is_default: boolean; owner_id: string; place_id: string };

export const isGuest = (caller: Caller | Guest): caller is Guest => 'guest_id' in caller;

/** Whom budgets, idempotency keys and signed addresses are for. */
export const callerIdOf = (caller: Caller | Guest): string => (isGuest(caller) ? caller.guest_id : caller.user_id);

/** What ends the token of a caller when it ends: their session, or for a guest the widget or the call. */
export const sessionIdOf = (caller: Caller | Guest): string => (isGuest(caller) ? caller.place_id : caller.session_id);

/** Where a request came from, as far as it can be told. */
export type Origin = {
  ip: string;
  device: string;
  last_event_id: string | undefined;
  /** The `Origin` of the request (RFC 6454): the page from which a browser sends it. */
  web_origin: string | undefined;
  /** The `Accept-Language` of the request as it came: read where a text is made (`kernel/language`). */
  accept_language: string | undefined;
  /** The `If-None-Match` of the request: what its sender has already. */
  if_none_match: string | undefined;
  /** The bearer of the request where it may be a realtime grant instead of an access token. */
  grant?: string | undefined;
  /** What a browser keeps where scripts cannot read it (`http-session-cookie.ts`); undefined without. */
  refresh_cookie?: string | undefined;
  device_cookie?: string | undefined;
};

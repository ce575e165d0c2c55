/**
 * Admission: asks the service whether a client may join, since a token is only valid as long as the service confirms
 * it.
 */
import { LIMITS } from '../limits.ts';
import { signToken } from '../token.ts';

/** `unavailable` when the service could not be asked: the client may retry. */
export type Admission = 'admitted' | 'refused' | 'unavailable';

/** Checks an access token, each time that it is used. */
export type Admit = (token: string) => Promise<Admission>;

/** The service that decides whether a grant still admits, and the key of the requests to it. */
export type AdmissionOptions = {
  /** The admission endpoint: a POST of `{"token": …}`, answered by 204 (yes) or 403 (no). */
  url: string;
  api_key: string;
  api_secret: string;
  onError(error: unknown): void;
};

/** The `sub` of the token that identifies a media server to the service. */
const ADMISSION_SUBJECT = 'admission';

/**
 * Creates the admission check. Requests are authorised by a short-lived token signed with the media server's secret.
 */
export function createAdmission({ url, api_key, api_secret, onError }: AdmissionOptions): Admit {
  return async (token) => {
    const now_s = Math.floor(Date.now() / 1000);
    const claims = { iss: api_key, sub: ADMISSION_SUBJECT, nbf: now_s - 5, exp: now_s + 60 };
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${signToken(claims, api_secret)}` },
        body: JSON.stringify({ token }),
        signal: AbortSignal.timeout(LIMITS.admission_timeout_ms),
      });
      await response.body?.cancel();
      if (response.ok) return 'admitted';
      if (response.status === 403) return 'refused';
      throw new Error(`status ${response.status}`);
    } catch (error) {
      onError(error);
      return 'unavailable';
    }
  };
}

/** The HTTP answer for a refused client. */
export type Refusal = { status: number; reason: string; text: string };

/** The answers of admission. */
export const REFUSALS = {
  refused: { status: 403, reason: 'Forbidden', text: 'the token does not admit to the room any more' },
  unavailable: { status: 503, reason: 'Service Unavailable', text: 'try again' },
  too_many: { status: 429, reason: 'Too Many Requests', text: 'too many connections' },
} as const satisfies Record<string, Refusal>;

/** The answer to a validation: clients take a 4xx as final, so that one that was only too fast would not try again. */
export const refuseValidation = (refusal: Refusal): Refusal =>
  refusal.status === REFUSALS.too_many.status ? REFUSALS.unavailable : refusal;

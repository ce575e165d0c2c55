import type { ErrorCode } from './generated/error-codes.ts';

/** A refused request: the service's error envelope with the status and headers of the response. */
export class ApiError extends Error {
  /** HTTP status. */
  readonly status: number;
  /**
   * Stable machine-readable code, for example `validation_failed`; switch on this, never on the text. `bad_gateway`
   * means that a proxy answered instead of the service. A newer service may send codes that this client does not know.
   */
  readonly code: ErrorCode | 'bad_gateway' | (string & {});
  /** A message for each invalid field; empty when there is none. */
  readonly fields: Readonly<Record<string, string>>;
  /** The service's identifier of this request, to include in a report to the operator. */
  readonly request_id: string | undefined;
  /** Seconds to wait before a retry, from `Retry-After` (RFC 9110, 10.2.3). */
  readonly retry_after_s: number | undefined;
  /** Further members of the envelope, such as `suggestions` for a command or `opens_at` for an event. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(details: {
    status: number;
    code: string;
    message: string;
    fields?: Record<string, string>;
    request_id?: string | undefined;
    retry_after_s?: number | undefined;
    details?: Record<string, unknown>;
  }) {
    super(details.message);
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code;
    this.fields = details.fields ?? {};
    this.request_id = details.request_id;
    this.retry_after_s = details.retry_after_s;
    this.details = details.details ?? {};
  }
}

/** The request got no response at all: no connection, a broken one, or a name that does not resolve. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super('The service cannot be reached. Check the connection and try again.', { cause });
    this.name = 'NetworkError';
  }
}

/**
 * Parses `Retry-After`, which is either whole seconds or an HTTP date.
 * @returns seconds from now, never negative, or undefined when the header is absent or invalid
 */
export function parseRetryAfter(value: string | null, now_ms: number): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value.trim());
  const at_ms = Date.parse(value);
  return Number.isNaN(at_ms) ? undefined : Math.max(0, Math.ceil((at_ms - now_ms) / 1000));
}

/**
 * Builds the error of a response that is not 2xx; a response without the envelope (a proxy's page) is `bad_gateway`.
 */
export async function readApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const envelope = (body as { error?: Record<string, unknown> })?.error;
  const { code, message, fields, request_id: told_id, ...details } = envelope ?? {};
  const request_id = response.headers.get('x-request-id') ?? told_id;
  return new ApiError({
    status: response.status,
    code: typeof code === 'string' ? code : 'bad_gateway',
    message: typeof message === 'string' ? message : `The service answered with status ${response.status}.`,
    fields: isTextMap(fields) ? fields : {},
    request_id: typeof request_id === 'string' ? request_id : undefined,
    retry_after_s: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
    details,
  });
}

function isTextMap(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' && value !== null && Object.values(value).every((message) => typeof message === 'string')
  );
}

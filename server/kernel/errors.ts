/** Errors: the safe message for the client, the cause for the log, and the one table of codes. */

/** Every error code, with its status and default message. */
export const error_table = {
  bad_request: [400, 'The request is not valid.'],
  unauthenticated: [401, 'Sign in to continue.'],
  token_invalid: [401, 'The token is invalid, expired or revoked.'],
  invalid_credentials: [401, 'Incorrect username or password.'],
  forbidden: [403, 'You do not have permission to do this.'],
  account_suspended: [403, 'This account is suspended.'],
  mobile_unverified: [403, 'Verify your mobile number first.'],
  plan_limit_reached: [403, 'You have reached the limit of your plan.'],
  not_found: [404, 'Not found.'],
  method_not_allowed: [405, 'This method is not allowed for this path.'],
  conflict: [409, 'Another request changed this at the same time. Try again.'],
  username_taken: [409, 'This username is already taken.'],
  tag_taken: [409, 'This tag name is already taken.'],
  mobile_taken: [409, 'This number is already verified on another account.'],
  address_taken: [409, 'This address is already verified on another account.'],
  mobile_missing: [409, 'Add a mobile number first.'],
  limit_reached: [409, 'You have reached the limit for an account.'],
  self_not_allowed: [409, 'You cannot do this with yourself.'],
  account_deleted: [409, 'This account was deleted.'],
  comments_closed: [409, 'Comments are turned off for this profile.'],
  already_rolled_back: [409, 'This import has already been rolled back.'],
  already_subscribed: [409, 'You already have the paid plan.'],
  call_in_progress: [409, 'You are already in a call.'],
  call_locked: [409, 'The host has locked this call.'],
  call_not_live: [409, 'The call is not connected yet.'],
  not_in_call: [409, 'Only participants can do this.'],
  nobody_to_call: [409, 'None of these people can be called.'],
  phone_ringing: [409, 'Your phone is already ringing.'],
  lines_busy: [409, 'All lines are busy. Try again shortly.'],
  already_decided: [409, 'This has already been decided.'],
  revision_conflict: [409, 'This was changed elsewhere. Reload and try again.'],
  not_open_yet: [409, 'This is not open yet.'],
  not_sharing: [409, 'You are not sharing your location with anyone.'],
  edit_closed: [409, 'This can no longer be edited.'],
  recording_in_progress: [409, 'This call is being recorded.'],
  not_recording: [409, 'This call is not being recorded.'],
  thread_pending: [409, 'Wait for them to accept your request before you send another message.'],
  request_in_progress: [409, 'The first request with this Idempotency-Key is still in progress.'],
  gone: [410, 'This has expired or has already been used.'],
  payload_too_large: [413, 'The request body is too large.'],
  unsupported_media_type: [415, 'The content type of the body is not supported here.'],
  range_not_satisfiable: [416, 'The requested range is not satisfiable.'],
  validation_failed: [422, 'Some fields are not valid.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was already used with a different body.'],
  rate_limited: [429, 'Too many requests. Try again later.'],
  internal_error: [500, 'Something went wrong on our side.'],
  unavailable: [503, 'The service is busy. Try again shortly.'],
} as const satisfies Record<string, readonly [number, string]>;

/** Additional members of `error`, each with its JSON schema: what a client needs to recover. */
export const error_members = {
  opens_at: { type: 'string', format: 'date-time', description: 'When the action becomes possible.' },
  may_start: { type: 'boolean', description: 'The call is not live, and requesting a grant starts it.' },
  call_title: { type: 'string', description: 'The tag (`*jazz`), group or event to which the call belongs.' },
  span: {
    type: 'array',
    items: { type: 'integer', minimum: 0 },
    minItems: 2,
    maxItems: 2,
    description: 'Where in the text the error is: start and end, in code points.',
  },
  expected: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 30,
    description: 'What would be valid at that position.',
  },
  suggestions: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 3,
    description: 'Complete commands that would be valid.',
  },
} as const;

/** The code by which a client tells an error from others. */
export type ErrorCode = keyof typeof error_table;
/** What is wrong with each field of a request: a sentence without its subject, by the path of the field, such as `media.0`. */
export type Fields = Record<string, string>;
/** Further members of an error, which clients can act on. */
export type ErrorMembers = Partial<Record<keyof typeof error_members, unknown>>;

type Details = {
  message?: string;
  fields?: Fields;
  members?: ErrorMembers;
  /** Seconds until a retry makes sense; sent as `Retry-After`. */
  retry_after_s?: number;
  headers?: Record<string, string>;
  cause?: unknown;
  /** Commits the transaction although the request fails: a wrong code counts as an attempt. */
  commit?: boolean;
};

/** An error whose message is safe to show. Its cause is only logged. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: Fields | undefined;
  readonly members: ErrorMembers;
  readonly retry_after_s: number | undefined;
  readonly headers: Record<string, string>;
  readonly commit: boolean;

  constructor(code: ErrorCode, details: Details = {}) {
    super(details.message ?? error_table[code][1], { cause: details.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = error_table[code][0];
    this.fields = details.fields;
    this.members = details.members ?? {};
    this.retry_after_s = details.retry_after_s;
    this.headers = details.headers ?? {};
    this.commit = details.commit ?? false;
  }

  /** The same error, but the transaction that throws it is committed. */
  kept(): ApiError {
    const { code, message, fields, members, retry_after_s, headers, cause } = this;
    return new ApiError(code, {
      message,
      members,
      headers,
      cause,
      commit: true,
      ...(fields ? { fields } : {}),
      ...(retry_after_s === undefined ? {} : { retry_after_s }),
    });
  }

  /** The envelope of every answer that is not 2xx. */
  envelope(): { error: { code: string; message: string; fields?: Fields } } {
    const { code, message, fields, members } = this;
    return { error: { code, message, ...(fields ? { fields } : {}), ...members } };
  }
}

/**
 * Thrown by an operation for which what `prepare` has computed no longer applies: it is prepared and run again. Slow work
 * is never repeated within the transaction: while that is open, no later event of anybody is delivered.
 */
export class StalePreparationError extends Error {}

/** Throws an error of the table. @throws ApiError always */
export function fail(code: ErrorCode, details?: Details): never {
  throw new ApiError(code, details);
}

/** Rejects fields by name: 422 with a sentence for each. @throws ApiError always */
export function invalid(fields: Fields, details?: Omit<Details, 'fields'>): never {
  throw new ApiError('validation_failed', { ...details, fields });
}

/**
 * For `catch` after a loader: turns `not_found` into a validation error of the field that named the object. Any other
 * error, such as a database failure, passes through.
 * @throws ApiError `validation_failed`, or the error itself
 */
export function notFoundAsInvalid(fields: Fields): (error: unknown) => never {
  return (error) => {
    if (error instanceof ApiError && error.code === 'not_found') invalid(fields);
    throw error;
  };
}

/** Marks the text of a refusal that is not thrown where it is written, so that the message extractor finds it. */
export const refusalText = (text: string): string => text;

/** The row, or a 404 that does not distinguish absent from hidden. @throws ApiError `not_found` */
export function found<T>(row: T | undefined): T {
  return row ?? fail('not_found');
}

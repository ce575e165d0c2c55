/** Why a scheduled job failed, in words for a person. None of them tells of a block. */
import type { ApiError, ErrorCode } from '../../kernel/errors.ts';

/** What a run is told that came too late. */
export const missed = 'missed';

const words: Partial<Record<ErrorCode, string>> = {
  validation_failed: 'They cannot be reached any more.',
  not_found: 'They cannot be reached any more.',
  call_in_progress: 'You were in another call.',
  rate_limited: 'You had done too much of this in a short time.',
  mobile_unverified: 'Your mobile number is not verified.',
};

/** What the refusal of an operation means for whoever has planned it. */
export const explainFailure = (error: ApiError): string => words[error.code] ?? error.message;

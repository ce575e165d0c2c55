/**
 * Why a scheduled job failed, as text for a user. None of them reveals a block. Like refusals, they are stored in
 * English and translated when read, so that rows of earlier versions are translated as well.
 */
import { refusalText, type ApiError, type ErrorCode } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/language/i18n.ts';
import { translateRefusal } from '../../kernel/language/refusals.ts';

/** The error of a run that came too late: an enum value of the API, the same in every language. */
export const missed = 'missed';

const unreachable = refusalText('They cannot be reached any more.');
const explanations: Partial<Record<ErrorCode, string>> = {
  validation_failed: unreachable,
  not_found: unreachable,
  call_in_progress: refusalText('You were in another call.'),
  rate_limited: refusalText('You did this too often in a short time.'),
  mobile_unverified: refusalText('Your mobile number is not verified.'),
};

/** The failure when the caller did not answer their own ring. */
export const unanswered = refusalText('You did not answer.');
/** The failure after an internal error. */
export const internal_failure = refusalText('Something went wrong on our side.');

/** The failure for a refused operation, worded for the person who scheduled it. */
export const explainFailure = (error: ApiError): string => explanations[error.code] ?? error.message;

/** A stored failure as shown with a job. */
export const presentFailure = (error: string, language: Language): string =>
  error === missed ? missed : translateRefusal(error, language);

/** A stored failure as a sentence. @param error null in a notification of an earlier version, when its job has run since */
export function describeFailure(error: string | null, language: Language): string {
  if (error === missed)
    return translateRefusal(refusalText('It was missed: the service was not running at that time.'), language);
  return translateRefusal(error ?? refusalText('Something went wrong.'), language);
}

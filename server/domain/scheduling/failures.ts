/**
 * Why a scheduled job failed, in words for a person. None of them tells of a block. They are stored in English and translated for
 * whoever reads them, as refusals are: many of them are refusals, and rows of earlier versions are told in each language as well.
 */
import { refusalText, type ApiError, type ErrorCode } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/language/i18n.ts';
import { translateRefusal } from '../../kernel/language/refusals.ts';

/** What a run is told that came too late: a word of the interface, and the same in every language. */
export const missed = 'missed';

const unreachable = refusalText('They cannot be reached any more.');
const words: Partial<Record<ErrorCode, string>> = {
  validation_failed: unreachable,
  not_found: unreachable,
  call_in_progress: refusalText('You were in another call.'),
  rate_limited: refusalText('You had done too much of this in a short time.'),
  mobile_unverified: refusalText('Your mobile number is not verified.'),
};

/** Why a call was not made whose caller let it ring. */
export const unanswered = refusalText('You did not answer.');
/** Why a job was given up that failed through no fault of its owner. */
export const our_fault = refusalText('Something went wrong on our side.');

/** What the refusal of an operation means for whoever has planned it. */
export const explainFailure = (error: ApiError): string => words[error.code] ?? error.message;

/** A stored failure as a job shows it. */
export const presentFailure = (error: string, language: Language): string =>
  error === missed ? missed : translateRefusal(error, language);

/** A stored failure as a sentence. @param error null where the job has been run again since */
export function sayFailure(error: string | null, language: Language): string {
  if (error === missed)
    return translateRefusal(refusalText('It was missed: the service was not running at that time.'), language);
  return translateRefusal(error ?? refusalText('It did not work.'), language);
}

import { ApiError, NetworkError } from '@asterism/sdk';
import { i18n } from '../../i18n/i18n.ts';

/** Whether the browser has no network at all. */
export const isOffline = (): boolean => (navigator as { onLine?: boolean }).onLine === false;

/**
 * An error as text for people. The service sends messages in the language of the client, which are more specific than a
 * code.
 */
export function describeProblem(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.code === 'rate_limited') return describeLimit(error.retry_after_s);
    // The answer of a proxy, of which nothing is for people.
    if (error.code === 'bad_gateway') return i18n.t('The service has a problem. Try again in a moment.');
    const [of_field] = Object.values(error.fields);
    return of_field === undefined ? error.message : asSentence(i18n.t('This'), of_field);
  }
  if (error instanceof NetworkError && isOffline()) return i18n.t('You are offline. Try again when you are connected.');
  if (error instanceof NetworkError) return i18n.t('The service can’t be reached. Check the connection and try again.');
  return i18n.t('Something went wrong on this page. Reload it and try again.');
}

/**
 * In English an error of the service is a predicate ("is taken") that is read after its label; in other languages it is
 * a whole sentence.
 */
export function asSentence(label: string, message: string): string {
  return /^[a-z]/.test(message) ? `${label} ${message}.`.replace(/\.\.$/, '.') : message;
}

/** Why the service refused a file, as a sentence. */
export function describeFileProblem(error: unknown): string {
  const field = fieldProblems(error)['file'];
  if (field !== undefined) return asSentence(i18n.t('This file'), field);
  return hasCode(error, 'payload_too_large') ? i18n.t('This file is too large.') : describeProblem(error);
}

/** The error messages of inputs, by field name. */
export function fieldProblems(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {};
}

/** The error to show above a form; undefined when every message is shown at an input. Names of fields are not shown. */
export function formProblem(error: unknown, shown: readonly string[]): string | undefined {
  if (error === null || error === undefined) return undefined;
  const names = Object.keys(fieldProblems(error));
  if (names.length === 0) return describeProblem(error);
  if (names.every((name) => shown.includes(name))) return undefined;
  return i18n.t('Something you entered isn’t valid. Check it and try again.');
}

/** Whether the service refused with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

/** Whether there is no such thing for the reader. No thing has an identifier that the service finds invalid. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'not_found') || hasCode(error, 'validation_failed');
}

function describeLimit(wait_s: number | undefined): string {
  if (wait_s === undefined) return i18n.t('Too many attempts. Try again later.');
  if (wait_s < 90)
    return i18n.t(
      '{count, plural, one {Too many attempts. Try again in # second.} other {Too many attempts. Try again in # seconds.}}',
      {
        count: wait_s,
      },
    );
  return i18n.t(
    '{count, plural, one {Too many attempts. Try again in # minute.} other {Too many attempts. Try again in # minutes.}}',
    {
      count: Math.ceil(wait_s / 60),
    },
  );
}

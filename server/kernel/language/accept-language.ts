/** The language that a request prefers (RFC 9110, section 12.5.4). Parsed only where a text is produced. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Origin } from '../caller.ts';
import { readPreferences } from './preferences.ts';
import { chooseLanguage, chooseLocale, type Language } from '../../../sdk/languages.ts';

/** The best supported language for an `Accept-Language` header; English by default. */
const languageOfHeader = (header: string | undefined): Language =>
  header === undefined ? 'en' : chooseLanguage(readPreferences(header));

/** The language for the answer to a request. */
export const languageOfRequest = ({ headers }: { headers: IncomingHttpHeaders }): Language =>
  languageOfHeader(headers['accept-language']);

/** A language with a script and a region at most: what else a tag contains is not for dates, or not valid. */
const plain_tag = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i;

/** The locale of dates in the answer to a request: with the region that it prefers, such as British English. */
export function localeOfRequest(request: { headers: IncomingHttpHeaders }): string {
  const wanted = readPreferences(request.headers['accept-language'] ?? '');
  return chooseLocale(
    languageOfRequest(request),
    wanted.filter((tag) => plain_tag.test(tag)),
  );
}

/** The language for the result of an operation; English when no request caused it. */
export const languageOfOrigin = ({ accept_language }: Pick<Origin, 'accept_language'>): Language =>
  languageOfHeader(accept_language);

/** The language of an account. @param locale a BCP 47 tag; English when it is not supported */
export const languageOfLocale = (locale: string): Language => chooseLanguage([locale]);

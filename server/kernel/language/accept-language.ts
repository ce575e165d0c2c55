/** The language that a request prefers (RFC 9110, section 12.5.4). Parsed only where a text is produced. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Origin } from '../caller.ts';
import { readPreferences } from './preferences.ts';
import { chooseLanguage, type Language } from '../../../sdk/languages.ts';

/** The best supported language for an `Accept-Language` header; English by default. */
const languageOfHeader = (header: string | undefined): Language =>
  header === undefined ? 'en' : chooseLanguage(readPreferences(header));

/** The language for the answer to a request. */
export const languageOfRequest = ({ headers }: { headers: IncomingHttpHeaders }): Language =>
  languageOfHeader(headers['accept-language']);

/** The language for the result of an operation; English when no request caused it. */
export const languageOfOrigin = ({ accept_language }: Pick<Origin, 'accept_language'>): Language =>
  languageOfHeader(accept_language);

/** The language of an account. @param locale a BCP 47 tag; English when it is not supported */
export const languageOfLocale = (locale: string): Language => chooseLanguage([locale]);

/** The language that a request asks for (RFC 9110, section 12.5.4). Read only where a text is made. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Origin } from '../caller.ts';
import { readPreferences } from '../http/preferences.ts';
import { chooseLanguage, type Language } from '../../../sdk/languages.ts';

/** The language of an answer to a request with this `Accept-Language`; English without one, and where it asks for none of ours. */
const languageOfHeader = (header: string | undefined): Language =>
  header === undefined ? 'en' : chooseLanguage(readPreferences(header));

/** The language of the answer to a request. */
export const languageOfRequest = ({ headers }: { headers: IncomingHttpHeaders }): Language =>
  languageOfHeader(headers['accept-language']);

/** The language of what an operation answers; English where no request is behind it. */
export const languageOfOrigin = ({ accept_language }: Pick<Origin, 'accept_language'>): Language =>
  languageOfHeader(accept_language);

/** The language of an account. @param locale a BCP 47 tag; English where it is none of ours */
export const languageOfLocale = (locale: string): Language => chooseLanguage([locale]);

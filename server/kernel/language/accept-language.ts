/** The language that a request asks for (RFC 9110, section 12.5.4). Read only where a text is made. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Origin } from '../caller.ts';
import { chooseLanguage, type Language } from '../../../sdk/languages.ts';

/** What is read of a header: more than this is no list of languages that anybody set. */
const most_characters = 500;
const most_languages = 20;

/** The languages of an `Accept-Language`, best first; those with `q=0` are not wanted. */
export function readAcceptLanguage(header: string): string[] {
  return header
    .slice(0, most_characters)
    .split(',', most_languages)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((one) => one.trim());
      const quality = parameters.find((one) => /^q=/i.test(one))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 };
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

/** The language of an answer to a request with this `Accept-Language`; English without one, and where it asks for none of ours. */
const languageOfHeader = (header: string | undefined): Language =>
  header === undefined ? 'en' : chooseLanguage(readAcceptLanguage(header));

/** The language of the answer to a request. */
export const languageOfRequest = ({ headers }: { headers: IncomingHttpHeaders }): Language =>
  languageOfHeader(headers['accept-language']);

/** The language of what an operation answers; English where no request is behind it. */
export const languageOfOrigin = ({ accept_language }: Pick<Origin, 'accept_language'>): Language =>
  languageOfHeader(accept_language);

/** The language of an account. @param locale a BCP 47 tag; English where it is none of ours */
export const languageOfLocale = (locale: string): Language => chooseLanguage([locale]);

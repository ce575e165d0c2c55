/** Content negotiation: preferences of a request, by the weights in its headers (RFC 9110, section 12.4.2). */

/** A longer header is not a list that a client would send. */
const max_characters = 500;
const max_entries = 20;

/** The entries of an `Accept-…` header, best first; entries with `q=0` are dropped. */
export function readPreferences(header: string): string[] {
  return header
    .slice(0, max_characters)
    .split(',', max_entries)
    .map((part) => {
      const [entry = '', ...parameters] = part.split(';').map((one) => one.trim());
      const quality = parameters.find((one) => /^q=/i.test(one))?.slice(2);
      return { entry, quality: quality === undefined ? 1 : Number(quality) || 0 };
    })
    .filter(({ entry, quality }) => entry !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ entry }) => entry);
}

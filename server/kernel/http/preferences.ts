/** What a request would rather have, by the weights of its headers (RFC 9110, section 12.4.2). */

/** What is read of a header: more than this is no list that anybody set. */
const most_characters = 500;
const most_entries = 20;

/** The entries of an `Accept-…` header, best first; those with `q=0` are not wanted. */
export function readPreferences(header: string): string[] {
  return header
    .slice(0, most_characters)
    .split(',', most_entries)
    .map((part) => {
      const [entry = '', ...parameters] = part.split(';').map((one) => one.trim());
      const quality = parameters.find((one) => /^q=/i.test(one))?.slice(2);
      return { entry, quality: quality === undefined ? 1 : Number(quality) || 0 };
    })
    .filter(({ entry, quality }) => entry !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ entry }) => entry);
}

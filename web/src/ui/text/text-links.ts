/** The links in a text that somebody wrote: resolved names, and web addresses. */

/**
 * A web address. It ends before characters that change the direction of what follows, by which its end could be shown as its
 * beginning.
 */
const ADDRESS = String.raw`https?:\/\/[^\s<>"\u200E\u200F\u202A-\u202E\u2066-\u2069]*[^\s<>".,:;!?)\]\u200E\u200F\u202A-\u202E\u2066-\u2069]`;

/** The parts of a text in turn: one that is shown as it is, and a name or an address. */
export function splitLinks(text: string, names: readonly string[]): string[] {
  const patterns = names
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .sort((one, other) => other.length - one.length)
    .map((name) => String.raw`(?<![\p{L}\p{N}_@*/.-])${name}(?![\p{L}\p{N}_-])`);
  return text.split(new RegExp(`(${[ADDRESS, ...patterns].join('|')})`, 'giu'));
}

/**
 * What is shown of an address; undefined for a text that is none, or that is not linked: before an @, the name of another
 * host would look like the one that is opened.
 */
export function shownAddress(part: string): string | undefined {
  if (!/^https?:/i.test(part)) return undefined;
  const { username, password } = URL.parse(part) ?? { username: 'invalid', password: '' };
  return username === '' && password === '' ? part.replace(/^https?:\/\//i, '') : undefined;
}

/** The token in an address that is the invite link of a group in this service; undefined for any other address. */
export function groupTokenOf(part: string, origin: string): string | undefined {
  const start = `${origin}/g/`;
  return part.startsWith(start) ? /^[\w-]+$/.exec(part.slice(start.length))?.[0] : undefined;
}

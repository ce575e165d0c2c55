/** The links in a text that somebody wrote: resolved names, and web addresses. */

/** No address contains these: they change the direction of what follows, so that its end could be shown as its beginning. */
const TURNS = String.raw`\u200E\u200F\u202A-\u202E\u2066-\u2069`;
/** What is no part of a word precedes an address without a scheme, and it is looked for only there. */
const START = String.raw`(?<![\p{L}\p{N}_@/.+-])`;
/** A web address, also one that begins with www; an e-mail address; and a telephone number with its country code. */
const ADDRESS = [
  String.raw`(?:https?:\/\/|${START}www\.)[^\s<>"${TURNS}]*[^\s<>".,:;!?)\]${TURNS}]`,
  String.raw`${START}[\w.+-]{1,64}@(?:[a-z\d-]+\.)+[a-z]{2,}`,
  String.raw`${START}\+\d[\d ()-]{6,17}\d(?!\d)`,
].join('|');

/** The parts of a text in turn: one that is shown as it is, and a name or an address. */
export function splitLinks(text: string, names: readonly string[]): string[] {
  const patterns = names
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .sort((one, other) => other.length - one.length)
    .map((name) => String.raw`(?<![\p{L}\p{N}_@*/.-])${name}(?![\p{L}\p{N}_-])`);
  return text.split(new RegExp(`(${[ADDRESS, ...patterns].join('|')})`, 'giu'));
}

/**
 * Where a part of a text leads; undefined for a text that is no address, or that is not linked: before an @, the name of
 * another host would look like the one that is opened.
 */
export function hrefOf(part: string): string | undefined {
  if (/^\+\d/.test(part)) return `tel:${part.replaceAll(/[^+\d]/g, '')}`;
  if (!/^(?:https?:|www\.)/i.test(part)) return /^[\w.+-]+@[^@]+$/.test(part) ? `mailto:${part}` : undefined;
  const address = /^www/i.test(part) ? `https://${part}` : part;
  const { username, password } = URL.parse(address) ?? { username: 'invalid', password: '' };
  return username === '' && password === '' ? address : undefined;
}

/** What is shown of an address: without its scheme. */
export const shownAddress = (part: string): string => part.replace(/^https?:\/\//i, '');

/** The token in an address that is the invite link of a group in this service; undefined for any other address. */
export function groupTokenOf(part: string, origin: string): string | undefined {
  const start = `${origin}/g/`;
  return part.startsWith(start) ? /^[\w-]+$/.exec(part.slice(start.length))?.[0] : undefined;
}

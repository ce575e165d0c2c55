/**
 * What is linked in messages beside resolved names and web addresses: tags, e-mail addresses, telephone numbers, and www
 * without a scheme.
 */
import { shownAddress } from '../../../ui/text/text-links.ts';

/** What is no part of a word precedes them, so that they are looked for once in each word. */
const START = String.raw`(?<![\p{L}\p{N}_@/.+-])`;
/** No address contains these: they change the direction of what follows, so that its end could be shown as its beginning. */
const TURNS = String.raw`\u200E\u200F\u202A-\u202E\u2066-\u2069`;
const CONTACTS = new RegExp(
  [
    String.raw`(${START}www\.[^\s<>"${TURNS}]*[^\s<>".,:;!?)\]${TURNS}]`,
    String.raw`${START}[\w.+-]{1,64}@(?:[a-z\d-]+\.)+[a-z]{2,}`,
    String.raw`${START}\+\d[\d ()-]{6,17}\d(?!\d)`,
    // With a letter, since *50 is a number; a word between two asterisks is not a tag.
    String.raw`${START}(?<!\*)\*(?=[\d_-]*[a-z])[\w-]{2,32}(?![\p{L}\p{N}_*-]))`,
  ].join('|'),
  'giu',
);

/** A part of a text, and the address that it leads to. */
export interface ContactPart {
  readonly text: string;
  /** Undefined for what is shown as it is, and for a tag. */
  readonly href: string | undefined;
  readonly is_tag?: true;
}

function hrefOf(part: string): string | undefined {
  if (part.startsWith('*')) return undefined;
  if (part.startsWith('+')) return `tel:${part.replaceAll(/[^+\d]/g, '')}`;
  if (!/^www\./i.test(part)) return `mailto:${part}`;
  // Before an @, the name of another host would look like the one that is opened.
  return shownAddress(`https://${part}`) === undefined ? undefined : `https://${part}`;
}

/** The parts of a text in turn, as links where they lead somewhere. */
export const findContacts = (text: string): ContactPart[] =>
  text
    .split(CONTACTS)
    .map((part, index) => ({
      text: part,
      href: index % 2 === 1 ? hrefOf(part) : undefined,
      ...(index % 2 === 1 && part.startsWith('*') ? { is_tag: true as const } : {}),
    }))
    .filter((part) => part.text !== '');

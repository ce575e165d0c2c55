/** The links in a text that lead to something in this service, of which a card is shown. */
import { splitLinks } from '../../ui/text/text-links.ts';

/** What a link leads to, and its name or identifier there. */
export interface OwnLink {
  readonly kind: 'tag' | 'person' | 'group' | 'call';
  readonly id: string;
}

/** How many cards a text has. */
const MAX_CARDS = 3;

/** The paths of what has a card; with `/app` before some of them they are the addresses of pages of this client. */
const PATHS: readonly (readonly [OwnLink['kind'], RegExp])[] = [
  ['tag', /^(?:\/app)?\/t\/([\w-]{2,32})$/],
  ['person', /^\/app\/u\/(usr_[0-9a-z]{26})$/],
  ['group', /^(?:\/g|\/app\/join-group)\/([\w-]+)$/],
  ['call', /^(?:\/app)?\/j\/([a-z]{3}-[a-z]{4}-[a-z]{3})$/],
];

function readLink(address: string, origin: string): OwnLink | undefined {
  const url = address.startsWith(`${origin}/`) ? URL.parse(address) : null;
  if (url === null) return undefined;
  for (const [kind, pattern] of PATHS) {
    const id = pattern.exec(url.pathname.replace(/\/$/, ''))?.[1];
    if (id !== undefined) return { kind, id: kind === 'tag' ? id.toLowerCase() : id };
  }
  return undefined;
}

/** The first links of a text to things in this service, each once. */
export function findOwnLinks(text: string, origin: string): OwnLink[] {
  const links = new Map<string, OwnLink>();
  for (const part of splitLinks(text, [])) {
    const link = readLink(part, origin);
    if (link !== undefined) links.set(`${link.kind} ${link.id}`, link);
  }
  return [...links.values()].slice(0, MAX_CARDS);
}

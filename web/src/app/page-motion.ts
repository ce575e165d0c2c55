/** The lists of the tabs, side by side. Every other page is below one of them. */
const LISTS: ReadonlySet<string> = new Set([
  '/',
  '/messages',
  '/settings',
  '/calls',
  '/inbox',
  '/grid',
  '/people',
  '/people/requests',
  '/people/followers',
  '/contacts',
  '/groups',
]);

const depthOf = (path: string): number => (LISTS.has(path) ? 0 : path.split('/').filter(Boolean).length);

/**
 * The direction in which one page leaves and another one appears: `in` to what a page contains, `out` back to what
 * contains it, `across` between pages of one kind.
 */
export function directionOf(from: string, to: string): 'in' | 'out' | 'across' {
  const deeper = depthOf(to) - depthOf(from);
  if (deeper === 0) return 'across';
  return deeper > 0 ? 'in' : 'out';
}

interface Change {
  fromLocation?: { pathname: string } | undefined;
  toLocation: { pathname: string };
  pathChanged: boolean;
}

const isCall = (path: string): boolean => path.startsWith('/call/');

/** The types of the view transition to a page; false if it appears at once. */
function typesOf({ fromLocation: from, toLocation: to, pathChanged: is_other }: Change): string[] | false {
  if (from === undefined || !is_other || matchMedia('(prefers-reduced-motion: reduce)').matches) return false;
  // A call has motion of its own, and its picture must not stand still.
  if (document.visibilityState === 'hidden' || isCall(from.pathname) || isCall(to.pathname)) return false;
  return [directionOf(from.pathname, to.pathname)];
}

/**
 * How pages change, for the router. The browser shows a picture of the page that leaves, whose elements are gone by
 * then: focus and keyboard belong to the new page at once. Without the types it would move the tabs as well.
 */
export const pageMotion = CSS.supports('selector(:active-view-transition-type(in))') && { types: typesOf };

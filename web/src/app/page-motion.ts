import { directionOf } from './page-direction.ts';

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

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
export const pageMotion = CSS.supports('selector(:active-view-transition-type(in))') &&
  'activeViewTransition' in document && { types: typesOf };

/** Gives a click to what is shown at its place, and the focus to what it would have focused. */
function redispatchClick(event: MouseEvent): void {
  const target = document.elementFromPoint(event.clientX, event.clientY);
  if (target === null || target === document.documentElement) return;
  target.closest<HTMLElement>('a[href], button, input, textarea, select, [tabindex]')?.focus({ preventScroll: true });
  target.dispatchEvent(new MouseEvent('click', event));
}

/**
 * Lets clicks through while pages change. The browser gives them to the document, since the page is a picture then: a
 * press ends the motion, and its click goes to what is at its place.
 */
export function letClicksThrough(): void {
  let has_ended_motion = false;
  const press = () => {
    const motion = document.activeViewTransition;
    has_ended_motion = motion !== null && motion !== undefined;
    motion?.skipTransition();
  };
  const click = (event: MouseEvent) => {
    if (!has_ended_motion || event.target !== document.documentElement) return;
    has_ended_motion = false;
    redispatchClick(event);
  };
  addEventListener('pointerdown', press, { capture: true });
  addEventListener('click', click, { capture: true });
}

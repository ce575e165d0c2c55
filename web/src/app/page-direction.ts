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

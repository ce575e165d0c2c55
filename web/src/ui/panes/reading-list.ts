/** Lists whose rows lead to pages of all sections: Activity, the results of a search, the feed, and the posts of a tag. */

/** Whether an address is that of such a list. */
export function isReadingList(address: string | undefined): address is string {
  return address !== undefined && /^\/(?:$|notifications$|search(?:\?|$)|t\/)/.test(address);
}

/** The pages of single things, which may be beside such a list. A list is always in its own section. */
const SINGLE = /^\/(?:t|u|tags|groups|contacts|calendar)\/./;

/**
 * The list beside a page: a post is beside the one that it was opened from, else the feed; a tag, person, group or event
 * only beside Activity or the results of a search.
 */
export function readingListOf(path: string, opened_from: string | undefined): string | undefined {
  if (path === '/notifications' || path === '/search') return path;
  if (path.startsWith('/status/')) return isReadingList(opened_from) ? opened_from : '/';
  if (!SINGLE.test(path) || !isReadingList(opened_from)) return undefined;
  return /^\/(?:notifications|search)/.test(opened_from) ? opened_from : undefined;
}

/** The caches of this browser that belong to the account which is signed in, and are deleted with its session. */

/** The files of drafts and unsent messages. */
export const UNSENT_FILES = 'asterism-unsent';

/** What another app has shared. */
export const SHARED_CONTENT = 'asterism-shared';

/** The tiles of the map that was shown, which the service worker stores. */
export const MAP_TILES = 'asterism-map';

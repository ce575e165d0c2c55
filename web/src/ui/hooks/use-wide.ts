import { useMediaQuery } from './use-media-query.ts';

/** Whether the window has room for two panes, such as a list and the page that is open beside it. */
export const useWide = (): boolean => useMediaQuery('(min-width: 900px)');

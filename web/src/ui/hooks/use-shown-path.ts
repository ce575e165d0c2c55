import { useMatches } from '@tanstack/react-router';

/** The path of the page that is shown. The address is another one as soon as another page is being loaded. */
export const useShownPath = (): string => useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' });

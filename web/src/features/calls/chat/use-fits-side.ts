import { useMediaQuery } from '../../../ui/hooks/use-media-query.ts';

/** Whether there is room for the chat beside the stage. */
export const useFitsSide = (): boolean => useMediaQuery('(min-width: 900px)');

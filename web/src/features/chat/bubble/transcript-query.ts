import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';

/** The interval of requests while a transcript is pending, for an event that was lost. */
const AGAIN_MS = 20_000;

/** Requests the transcript; whoever may open the file gets the one that is stored. */
export const transcriptQuery = (file_id: string) =>
  queryOptions({
    queryKey: ['transcript', file_id],
    queryFn: ({ signal }) => sdk.files.createTranscript({ path: { file_id }, signal }),
    staleTime: Infinity,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? AGAIN_MS : false),
  });

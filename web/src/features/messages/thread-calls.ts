import { useQuery } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { useStartCall } from '../calls/state/start-call.ts';
import type { ShownMessage } from '../chat/chat-message.ts';
import { historyKey, type PastCall } from '../history/history-queries.ts';

/** As many calls of two people are shown among their messages, the newest. */
const MOST_CALLS = 50;

/** How long something took, as one says it: "45 s", "4 min", "1 h 5 min". */
function describeSpan(span_s: number): string {
  if (span_s < 60) return `${Math.max(1, Math.round(span_s))} s`;
  const minutes = Math.round(span_s / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** What became of a call, as whoever made it and whoever was called say it. */
function wordsOf({ direction, outcome, media, duration_s }: PastCall): string {
  const kind = media === 'video' ? 'video call' : 'voice call';
  if (outcome === 'answered') {
    const length = duration_s > 0 ? ` · ${describeSpan(duration_s)}` : '';
    return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${length}`;
  }
  if (outcome === 'missed') return `Missed ${kind}`;
  if (outcome === 'declined') return direction === 'incoming' ? `You declined a ${kind}` : `Declined ${kind}`;
  if (outcome === 'busy') return `Busy: ${kind} not answered`;
  if (outcome === 'cancelled') return `Cancelled ${kind}`;
  return `No answer: ${kind}`;
}

interface Loaded {
  readonly hasNextPage: boolean;
  readonly newer?: { readonly hasNextPage: boolean } | undefined;
}

/**
 * The messages of two people with their calls between them, newest first. Calls older than the oldest message that has
 * been fetched wait until it is clear what stands around them, and so do newer ones where the chat was entered in its midst.
 */
export function useMessagesWithCalls(
  messages: readonly ShownMessage[],
  loaded: Loaded,
  peer: { id: string; is_gone: boolean },
): readonly ShownMessage[] {
  const audio = useStartCall('audio');
  const video = useStartCall('video');
  const { data } = useQuery({
    queryKey: [...historyKey, 'with', peer.id],
    queryFn: ({ signal }) =>
      sdk.callHistory.listCallHistory({ query: { user_id: peer.id, limit: MOST_CALLS }, signal }),
  });
  const oldest = messages.at(-1)?.created_at;
  const newest = messages[0]?.created_at;
  const isIn = (at: string) =>
    (!loaded.hasNextPage || (oldest !== undefined && at >= oldest)) &&
    (loaded.newer?.hasNextPage !== true || (newest !== undefined && at <= newest));
  const calls = (data?.items ?? []).filter(({ started_at }) => isIn(started_at));
  if (calls.length === 0) return messages;
  const rows = calls.map((call): ShownMessage => {
    const again = call.media === 'video' ? video : audio;
    return {
      id: call.conference_id,
      by: undefined,
      mine: call.direction === 'outgoing',
      body: '',
      files: [],
      created_at: call.started_at,
      deleted: false,
      reactions: [],
      forwarded: false,
      edited: false,
      call: {
        words: wordsOf(call),
        is_missed: call.outcome === 'missed',
        is_video: call.media === 'video',
        onAgain: peer.is_gone
          ? undefined
          : () => {
              if (!audio.isPending && !video.isPending) again.mutate([{ user_id: peer.id }]);
            },
      },
    };
  });
  return [...messages, ...rows].toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1));
}

import { useQuery } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { useStartCall } from '../../data/start-call.ts';
import type { ShownMessage } from '../chat/chat-message.ts';
import { mergeRows } from '../chat/list/merge-rows.ts';
import { callsWithKey, type PastCall } from '../../data/queries/history-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { describeSpan } from '../../ui/when.tsx';

/** The maximum number of calls shown among the messages of a thread: the newest ones. */
const MAX_CALLS = 50;

/** The outcome of a call, as its caller and its callee would say it. */
function outcomeLabels({ direction, outcome, media, duration_s }: PastCall): string {
  const values = { media };
  if (outcome === 'answered') {
    const words = i18n.t('{media, select, video {Video call} other {Voice call}}', values);
    return duration_s > 0 ? `${words} · ${describeSpan(duration_s)}` : words;
  }
  if (outcome === 'missed')
    return i18n.t('{media, select, video {Missed video call} other {Missed voice call}}', values);
  if (outcome === 'declined')
    return direction === 'incoming'
      ? i18n.t('{media, select, video {You declined a video call} other {You declined a voice call}}', values)
      : i18n.t('{media, select, video {Declined video call} other {Declined voice call}}', values);
  if (outcome === 'busy')
    return i18n.t(
      '{media, select, video {Busy: video call not answered} other {Busy: voice call not answered}}',
      values,
    );
  if (outcome === 'cancelled')
    return i18n.t('{media, select, video {Video call didn’t connect} other {Voice call didn’t connect}}', values);
  return i18n.t('{media, select, video {No answer: video call} other {No answer: voice call}}', values);
}

interface Loaded {
  readonly hasNextPage: boolean;
  readonly newer?: { readonly hasNextPage: boolean } | undefined;
}

/**
 * The messages of a thread merged with the calls of its two people, newest first. Calls older than the oldest loaded
 * message are left out until their neighbours are known; so are newer ones where the thread was opened in its middle.
 */
export function useMessagesWithCalls(
  messages: readonly ShownMessage[],
  loaded: Loaded,
  peer: { id: string; is_gone: boolean },
): readonly ShownMessage[] {
  const audio = useStartCall('audio');
  const video = useStartCall('video');
  const { data } = useQuery({
    queryKey: callsWithKey(peer.id),
    queryFn: ({ signal }) => sdk.callHistory.listCallHistory({ query: { user_id: peer.id, limit: MAX_CALLS }, signal }),
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
      mentions: [],
      body: '',
      files: [],
      created_at: call.started_at,
      deleted: false,
      reactions: [],
      forwarded: false,
      edited: false,
      call: {
        words: outcomeLabels(call),
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
  return mergeRows(messages, rows);
}

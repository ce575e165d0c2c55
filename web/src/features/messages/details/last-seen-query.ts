import { useQuery } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { clockTime } from '../../../i18n/clock-time.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { describeDay } from '../../../ui/when.tsx';

/** When somebody was last online; it is requested again each time they have gone offline. */
const lastSeenKey = (user_id: string, is_online: boolean) => ['last-seen', user_id, is_online] as const;

/** When somebody who is not online was, as text; undefined where that is not known. */
export function useLastSeen(user_id: string, is_online: boolean): string | undefined {
  const at = useQuery({
    queryKey: lastSeenKey(user_id, is_online),
    queryFn: ({ signal }) => sdk.realtime.getPresence({ path: { user_id }, signal }),
    enabled: !is_online,
    staleTime: 60_000,
  }).data?.last_seen_at;
  if (at == null || is_online) return undefined;
  return i18n.t('Last seen: {day}, {time}', { day: describeDay(new Date(at)), time: clockTime(at) });
}

/** Opens the stream of a signed-in account, and updates what is cached from it. */
import type { Call, RealtimeStream } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { sdk } from '../../asterism.ts';
import { catchUp } from '../../data/cache.ts';
import type { IsKnown } from '../../data/cache.ts';
import { createStreamStart } from '../../data/stream-start.ts';
import type { StreamStart } from '../../data/stream-start.ts';
import { StreamContext } from '../../data/stream.ts';
import { activeCallQuery, cacheCall, callKey, callQuery, ringingCallQuery } from '../../data/queries/call-queries.ts';
import { subscribeToRooms, refetchRooms } from '../rooms/room-queries.ts';
import { requestHome, subscribeToHome } from '../home/home-queries.ts';
import { homeKey } from '../../data/queries/home-query.ts';
import { calendarKey, subscribeToCalendar } from '../calendar/calendar-queries.ts';
import { changePasswordKey, useMe, sessionsKey } from '../../data/queries/me-query.ts';
import { subscribeToPresence, refetchPresence } from '../../data/queries/presence-query.ts';
import { acknowledgeMessages } from '../messages/delivery/acknowledge.ts';
import { subscribeToMessages, refetchMessages } from '../../data/queries/message-queries.ts';
import { subscribeToScheduled, scheduledKey } from '../scheduled/scheduled-queries.ts';
import { subscribeToChats, refetchChats } from '../chat/chat-queries.ts';
import { subscribeToLocation, refetchLocation } from '../location/location-queries.ts';
import { subscribeToWidgets } from '../../data/queries/widget-queries.ts';
import { subscribeToCalls, subscribeToGroups, subscribeToPeople, refetchPeople } from './social-events.ts';

/** Refetches everything that the stream would have updated, except what is known. */
function refetchAll(queries: QueryClient, isKnown?: IsKnown): void {
  catchUp(
    queries,
    [homeKey, activeCallQuery.queryKey, ringingCallQuery.queryKey, callKey, calendarKey, scheduledKey],
    isKnown,
  );
  refetchPeople(queries, isKnown);
  refetchMessages(queries, isKnown);
  refetchChats(queries, isKnown);
  refetchLocation(queries);
  refetchRooms(queries);
  refetchPresence(queries, isKnown);
}

function endCallHere(queries: QueryClient, call: Call): void {
  queries.setQueryData(callQuery(call.join_code).queryKey, call);
  queries.setQueryData(activeCallQuery.queryKey, (active) => (active?.join_code === call.join_code ? null : active));
}

function subscribe(stream: RealtimeStream, queries: QueryClient, start: StreamStart): void {
  stream.on('call.ringing', ({ data }) => cacheCall(queries, data.call));
  stream.on('call.updated', ({ data }) => cacheCall(queries, data.call));
  stream.on('call.ended', ({ data }) => endCallHere(queries, data.call));
  stream.on('session.revoked', ({ data }) => {
    void queries.invalidateQueries({ queryKey: sessionsKey });
    // Changing the password ends this session too, and its answer, which may arrive later, contains the next one.
    const is_ours = data.session_id === sdk.session.get()?.session_id;
    // A request finds out for certain: a refusal ends the session here, and all queries are notified.
    if (is_ours && queries.isMutating({ mutationKey: changePasswordKey }) === 0) sdk.me.getMe().catch(() => undefined);
  });
  subscribeToPeople(stream, queries);
  subscribeToCalls(stream, queries);
  subscribeToMessages(stream, queries);
  subscribeToGroups(stream, queries);
  subscribeToHome(stream, queries);
  subscribeToCalendar(stream, queries);
  subscribeToScheduled(stream, queries);
  subscribeToChats(stream, queries);
  subscribeToLocation(stream, queries);
  subscribeToWidgets(stream, queries);
  subscribeToRooms(stream, queries);
  subscribeToPresence(stream, queries);
  let has_begun = false;
  stream.onSignal('reset', () => {
    has_begun = true;
    refetchAll(queries);
  });
  stream.onSignal('ready', ({ resumed }) => {
    // What an earlier page has stored on the device is not as new as the start of the stream.
    if (!has_begun) refetchAll(queries, start.isKnown);
    else if (!resumed) refetchAll(queries);
    has_begun = true;
  });
}

/** Keeps the stream open while an account with a verified mobile is signed in, and updates the caches from it. */
export function RealtimeProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const verified = useMe()?.gate.mobile_verified === true;
  const [stream, setStream] = useState<RealtimeStream>();
  // A layout effect, to start before the queries of the children, which its request answers.
  useLayoutEffect(() => {
    if (!verified) return;
    void requestHome(queries);
    const start = createStreamStart(() => refetchAll(queries));
    const opened = sdk.openRealtime({ last_event_id: start.last_event_id });
    subscribe(opened, queries, start);
    const stopAcknowledging = acknowledgeMessages(opened, queries);
    setStream(opened);
    return () => {
      stopAcknowledging();
      opened.close();
      start.end();
      setStream(undefined);
    };
  }, [verified, queries]);
  return <StreamContext value={stream}>{children}</StreamContext>;
}

/** Opens the stream of a signed-in account, and updates what is cached from it. */
import type { Call, RealtimeStream } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { sdk } from '../../asterism.ts';
import { catchUp } from '../../data/cache.ts';
import type { IsKnown } from '../../data/cache.ts';
import { StreamContext } from '../../data/stream.ts';
import { activeCallQuery, cacheCall, callKey, callQuery, ringingCallQuery } from '../../data/queries/call-queries.ts';
import { subscribeToRooms, refetchRooms } from '../rooms/room-queries.ts';
import { subscribeToHome, homeKey, readHomePosition } from '../home/home-queries.ts';
import type { HomePosition } from '../home/home-position.ts';
import type { Home } from '../../data/home-start.ts';
import { calendarKey, subscribeToCalendar } from '../calendar/calendar-queries.ts';
import { changePasswordKey, useMe, sessionsKey } from '../../data/queries/me-query.ts';
import { subscribeToPresence, refetchPresence } from '../../data/queries/presence-query.ts';
import { acknowledgeMessages } from '../messages/acknowledge.ts';
import { subscribeToMessages, refetchMessages } from '../../data/queries/message-queries.ts';
import { subscribeToScheduled, scheduledKey } from '../scheduled/scheduled-queries.ts';
import { subscribeToChats, refetchChats } from '../chat/chat-queries.ts';
import { subscribeToLocation, refetchLocation } from '../location/location-queries.ts';
import { subscribeToWidgets } from '../../data/queries/widget-queries.ts';
import { subscribeToCalls, subscribeToGroups, subscribeToPeople, refetchPeople } from './social-events.ts';

function endCallHere(queries: QueryClient, call: Call): void {
  queries.setQueryData(callQuery(call.join_code).queryKey, call);
  queries.setQueryData(activeCallQuery.queryKey, (active) => (active?.join_code === call.join_code ? null : active));
}

/** @param start where the stream starts; by default now */
function subscribe(stream: RealtimeStream, queries: QueryClient, start: HomePosition<Home> | undefined): void {
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
  const refetch = (isKnown?: IsKnown, feed?: Home['feed']) => {
    catchUp(
      queries,
      [homeKey, activeCallQuery.queryKey, ringingCallQuery.queryKey, callKey, calendarKey, scheduledKey],
      isKnown,
    );
    refetchPeople(queries, isKnown, feed);
    refetchMessages(queries, isKnown);
    refetchChats(queries, isKnown);
    refetchLocation(queries);
    refetchRooms(queries);
    refetchPresence(queries);
  };
  let has_begun = false;
  stream.onSignal('reset', () => {
    has_begun = true;
    refetch();
  });
  stream.onSignal('ready', ({ resumed }) => {
    // Other data may have been read before or after the home page.
    if (!has_begun) refetch(start?.isKnown, start?.home.feed);
    else if (!resumed) refetch();
    has_begun = true;
  });
}

/** The stream waits at most this long for the home page; otherwise it starts now. */
const HOME_WAIT_MS = 3_000;

const awaitHomePosition = (queries: QueryClient): Promise<HomePosition<Home> | undefined> =>
  Promise.race([
    readHomePosition(queries),
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), HOME_WAIT_MS)),
  ]);

/** Keeps the stream open while an account with a verified mobile is signed in, and updates the caches from it. */
export function RealtimeProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const verified = useMe()?.gate.mobile_verified === true;
  const [stream, setStream] = useState<RealtimeStream>();
  // A layout effect, to start before the queries of the children, which its request answers.
  useLayoutEffect(() => {
    if (!verified) return;
    let close: (() => void) | undefined;
    let is_over = false;
    const open = async () => {
      const start = await awaitHomePosition(queries);
      if (is_over) return;
      const opened = sdk.openRealtime({ last_event_id: start?.home.last_event_id });
      subscribe(opened, queries, start);
      const stopAcknowledging = acknowledgeMessages(opened, queries);
      setStream(opened);
      close = () => {
        stopAcknowledging();
        opened.close();
        setStream(undefined);
      };
    };
    void open();
    return () => {
      is_over = true;
      close?.();
    };
  }, [verified, queries]);
  return <StreamContext value={stream}>{children}</StreamContext>;
}

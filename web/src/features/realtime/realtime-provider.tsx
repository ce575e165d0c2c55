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
import { followRooms, refetchRooms } from '../rooms/room-queries.ts';
import { followHome, homeKey, readHomePosition } from '../home/home-queries.ts';
import type { HomePosition } from '../home/home-position.ts';
import type { Home } from '../../data/home-start.ts';
import { calendarKey, followCalendar } from '../calendar/calendar-queries.ts';
import { changePasswordKey, useMe, sessionsKey } from '../../data/queries/me-query.ts';
import { followPresence, refetchPresence } from '../../data/queries/presence-query.ts';
import { acknowledgeMessages } from '../messages/acknowledge.ts';
import { followMessages, refetchMessages } from '../../data/queries/message-queries.ts';
import { followScheduled, scheduledKey } from '../scheduled/scheduled-queries.ts';
import { followChats, refetchChats } from '../chat/chat-queries.ts';
import { followPlaces, refetchPlaces } from '../location/location-queries.ts';
import { followWidgets } from '../../data/queries/widget-queries.ts';
import { followCalls, followGroups, followPeople, refetchPeople } from './social-events.ts';

function endCallHere(queries: QueryClient, call: Call): void {
  queries.setQueryData(callQuery(call.join_code).queryKey, call);
  queries.setQueryData(activeCallQuery.queryKey, (active) => (active?.join_code === call.join_code ? null : active));
}

/** @param start where the stream starts; by default now */
function follow(stream: RealtimeStream, queries: QueryClient, start: HomePosition<Home> | undefined): void {
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
  followPeople(stream, queries);
  followCalls(stream, queries);
  followMessages(stream, queries);
  followGroups(stream, queries);
  followHome(stream, queries);
  followCalendar(stream, queries);
  followScheduled(stream, queries);
  followChats(stream, queries);
  followPlaces(stream, queries);
  followWidgets(stream, queries);
  followRooms(stream, queries);
  followPresence(stream, queries);
  const refetch = (isKnown?: IsKnown, feed?: Home['feed']) => {
    catchUp(
      queries,
      [homeKey, activeCallQuery.queryKey, ringingCallQuery.queryKey, callKey, calendarKey, scheduledKey],
      isKnown,
    );
    refetchPeople(queries, isKnown, feed);
    refetchMessages(queries, isKnown);
    refetchChats(queries, isKnown);
    refetchPlaces(queries);
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
      follow(opened, queries, start);
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

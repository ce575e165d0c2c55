import type { Call, Person, RealtimeStream, StreamState } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import type { ReactNode } from 'react';
import { sdk } from '../../asterism.ts';
import { catchUp } from '../../queries.ts';
import type { IsKnown } from '../../queries.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { activeCallQuery, cacheCall, callKey, callQuery, ringingCallQuery } from '../calls/state/call-queries.ts';
import { followRooms, refetchRooms } from '../calls/rooms/room-queries.ts';
import { followHome, homeKey, readHomePlace } from '../home/home-queries.ts';
import type { HomePlace } from '../home/home-place.ts';
import type { Home } from '../home/home-start.ts';
import { calendarKey, followCalendar } from '../calendar/calendar-queries.ts';
import { changePasswordKey, useMe, sessionsKey } from '../me/me-query.ts';
import { followPresence, refetchPresence } from '../people/presence-query.ts';
import { acknowledgeMessages } from '../messages/acknowledge.ts';
import { followMessages, refetchMessages } from '../messages/message-queries.ts';
import { followScheduled, scheduledKey } from '../scheduled/scheduled-queries.ts';
import { followChats, refetchChats } from '../chat/chat-queries.ts';
import { followPlaces, refetchPlaces } from '../location/location-queries.ts';
import { followWidgets } from '../widgets/widget-queries.ts';
import { followCalls, followGroups, followPeople, refetchPeople } from './social-events.ts';

const StreamContext = createContext<RealtimeStream | undefined>(undefined);

/** The stream of a guest without an account. */
export const StreamOf = StreamContext.Provider;

/** A chat of a call, of a group, or of one guest of a widget. */
export type ChatPlace = { join_code: string } | { group_id: string } | { widget_id: string; guest_id: string };

/** Subscribes to typing events of a chat. */
export function useChatTyping(place: ChatPlace, onTyping: (who: { id: string; name: string }) => void): void {
  const stream = useContext(StreamContext);
  const { join_code, group_id, widget_id, guest_id }: Partial<Record<string, string>> = place;
  useEffect(
    () =>
      stream?.on('chat.typing', ({ data }) => {
        const is_here =
          join_code !== undefined
            ? data.join_code === join_code
            : group_id !== undefined
              ? data.group_id === group_id
              : data.widget_id === widget_id && data.guest_id === guest_id;
        if (!is_here) return;
        if (data.user) onTyping({ id: data.user.id, name: nameOf(data.user) });
        else if (data.guest) onTyping(data.guest);
      }),
    [stream, join_code, group_id, widget_id, guest_id, onTyping],
  );
}

/** Subscribes to reactions in a call. */
export function useCallReactions(join_code: string, onReaction: (participant_id: string, emoji: string) => void): void {
  const stream = useContext(StreamContext);
  useEffect(
    () =>
      stream?.on('call.reaction', ({ data }) => {
        if (data.join_code === join_code) onReaction(data.participant_id, data.emoji);
      }),
    [stream, join_code, onReaction],
  );
}

/** Subscribes to captions in a call. */
export function useCallCaptions(join_code: string, onCaption: (participant_id: string, text: string) => void): void {
  const stream = useContext(StreamContext);
  useEffect(
    () =>
      stream?.on('call.caption', ({ data }) => {
        if (data.join_code === join_code) onCaption(data.participant_id, data.text);
      }),
    [stream, join_code, onCaption],
  );
}

/** Subscribes to typing events of a thread. */
export function useThreadTyping(thread_id: string, onTyping: (user: Person) => void): void {
  const stream = useContext(StreamContext);
  useEffect(
    () =>
      stream?.on('dm.typing', ({ data }) => {
        if (data.thread_id === thread_id) onTyping(data.user);
      }),
    [stream, thread_id, onTyping],
  );
}

/** Reports what the reader is viewing while the page is visible, so that none of their devices gets a push for it. */
export function useFocus(type: 'status' | 'tag' | 'thread', id: string | undefined): void {
  const stream = useContext(StreamContext);
  useEffect(() => {
    if (stream === undefined || id === undefined) return;
    stream.setFocus({ type, id });
    return () => stream.setFocus(null);
  }, [stream, type, id]);
}

/** The state of the stream; undefined without one. */
export function useStreamState(): StreamState | undefined {
  const stream = useContext(StreamContext);
  return useSyncExternalStore(
    useCallback((listener) => stream?.onSignal('state', listener) ?? (() => undefined), [stream]),
    () => stream?.state,
  );
}

function endCallHere(queries: QueryClient, call: Call): void {
  queries.setQueryData(callQuery(call.join_code).queryKey, call);
  queries.setQueryData(activeCallQuery.queryKey, (active) => (active?.join_code === call.join_code ? null : active));
}

/** @param place where the stream starts; by default now */
function follow(stream: RealtimeStream, queries: QueryClient, place: HomePlace<Home> | undefined): void {
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
    refetchMessages(queries);
    refetchChats(queries);
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
    if (!has_begun) refetch(place?.isKnown, place?.home.feed);
    else if (!resumed) refetch();
    has_begun = true;
  });
}

/** The stream waits at most this long for the home page; otherwise it starts now. */
const HOME_WAIT_MS = 3_000;

const readHomePosition = (queries: QueryClient): Promise<HomePlace<Home> | undefined> =>
  Promise.race([
    readHomePlace(queries),
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
      const place = await readHomePosition(queries);
      if (is_over) return;
      const opened = sdk.openRealtime({ last_event_id: place?.home.last_event_id });
      follow(opened, queries, place);
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

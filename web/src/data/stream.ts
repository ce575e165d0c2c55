/** The stream of events that pages subscribe to; `RealtimeProvider` opens it. */
import type { Person, RealtimeStream, StreamState } from '@asterism/sdk';
import { createContext, useCallback, useContext, useEffect, useSyncExternalStore } from 'react';
import { nameOf } from '../ui/avatar.tsx';

/** The open stream; undefined without one. */
export const StreamContext = createContext<RealtimeStream | undefined>(undefined);

/** A chat of a call, of a group, or of one guest of a widget. */
export type TypingChat = { join_code: string } | { group_id: string } | { widget_id: string; guest_id: string };

/** Subscribes to typing events of a chat. */
export function useChatTyping(place: TypingChat, onTyping: (who: { id: string; name: string }) => void): void {
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

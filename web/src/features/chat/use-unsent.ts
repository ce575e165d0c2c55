/** What is not sent yet to a place, and the messages as they are with its changes. */
import type { ChatMessage } from '@asterism/sdk';
import { useMemo, useSyncExternalStore } from 'react';
import type { ShownMessage } from './chat-message.ts';
import { keyOfPlace } from './chat-place.ts';
import type { ChatPlace } from './chat-place.ts';
import { useOutbox } from './outbox-context.tsx';
import type { Outbox } from './outbox.ts';
import { isChange } from './unsent.ts';
import type { Unsent, UnsentChange } from './unsent.ts';

function react(message: ShownMessage, emoji: string | null): ShownMessage {
  const others = message.reactions.flatMap((one) => {
    if (!one.mine) return one;
    return one.count > 1 ? { ...one, count: one.count - 1, mine: false } : [];
  });
  if (emoji === null) return { ...message, reactions: others };
  const at = others.findIndex((one) => one.emoji === emoji);
  const count = (others[at]?.count ?? 0) + 1;
  const own = { emoji, count, mine: true };
  return { ...message, reactions: at === -1 ? [...others, own] : others.with(at, own) };
}

function show(message: ShownMessage, { change, state }: UnsentChange): ShownMessage {
  if (message.deleted) return message;
  if (change.kind === 'react')
    return message.reactions.some(({ mine, emoji }) => mine && emoji === change.emoji)
      ? message
      : react(message, change.emoji);
  const pending = state === 'sending' ? 'sending' : 'waiting';
  if (change.kind === 'delete') return { ...message, body: '', files: [], reactions: [], deleted: true, pending };
  return message.body === change.body ? message : { ...message, body: change.body, edited: true, pending };
}

/** Shows the changes of messages at once. Messages without a change stay the same objects. */
function showChanges(messages: readonly ShownMessage[], changes: readonly UnsentChange[]): readonly ShownMessage[] {
  if (changes.length === 0) return messages;
  return messages.map((message) =>
    changes.reduce((one, next) => (next.change.message_id === message.id ? show(one, next) : one), message),
  );
}

/** The unsent messages, with the text that they are edited to. */
function showUnsent(unsent: readonly Unsent[], changes: readonly UnsentChange[]): readonly Unsent[] {
  if (changes.length === 0) return unsent;
  return unsent.map((one) => {
    const edit = changes.find(({ change }) => change.message_id === one.key && change.kind === 'edit');
    return edit?.change.kind === 'edit' ? { ...one, body: edit.change.body } : one;
  });
}

const NONE: readonly Unsent[] = [];

/** What is not sent yet to a place, and the outbox for sending there. */
export interface UnsentOf {
  readonly unsent: readonly Unsent[];
  /** Unsent changes of messages, to be shown in them. */
  readonly changes: readonly UnsentChange[];
  readonly outbox: Outbox | undefined;
}

/** Everything that is not sent yet, to any place. */
function useAllUnsent(outbox: Outbox | undefined): readonly Unsent[] {
  return useSyncExternalStore(
    (listener) => outbox?.onChange(listener) ?? (() => undefined),
    () => outbox?.all ?? NONE,
  );
}

/** The newest message of a chat, of which a list of chats shows the text. */
type LastMessage = Pick<ChatMessage, 'id' | 'body' | 'deleted_at'>;

/** A function that shows the unsent edit or deletion of the newest message of a chat. */
export function useChangedLast(): <T extends LastMessage>(message: T | null) => T | null {
  const all = useAllUnsent(useOutbox());
  return useMemo(() => {
    const changes = all.filter(isChange);
    return (message) => {
      const changed = changes.filter(({ change }) => change.message_id === message?.id);
      return changed.reduce((one, { change, written_at }) => {
        if (one === null || one.deleted_at !== null || change.kind === 'react') return one;
        return change.kind === 'edit' ? { ...one, body: change.body } : { ...one, body: '', deleted_at: written_at };
      }, message);
    };
  }, [all]);
}

/** A function that finds the later of a time and that of the newest message that is not sent yet to a chat. */
export function useLatest(): (place: ChatPlace, at: string) => string {
  const all = useAllUnsent(useOutbox());
  return useMemo(() => {
    const times = new Map<string, string>();
    for (const one of all) if (!isChange(one)) times.set(keyOfPlace(one.place), one.written_at);
    return (place, at) => {
      const written_at = times.get(keyOfPlace(place));
      return written_at !== undefined && Date.parse(written_at) > (Date.parse(at) || 0) ? written_at : at;
    };
  }, [all]);
}

/** The newest message that is not sent yet to a chat. */
export function useNewestUnsent(place: ChatPlace): Unsent | undefined {
  return useUnsent(place).unsent.at(-1);
}

/** What is not sent yet to a chat, and its outbox. */
export function useUnsent(place: ChatPlace): UnsentOf {
  const outbox = useOutbox();
  const all = useAllUnsent(outbox);
  const name = keyOfPlace(place);
  return useMemo(() => {
    const here = all.filter((one) => keyOfPlace(one.place) === name);
    const changes = here.filter(isChange);
    const messages = here.filter((one) => !isChange(one));
    return { unsent: showUnsent(messages, changes), changes, outbox };
  }, [all, name, outbox]);
}

/** The messages of a place with their unsent changes. */
export function useShownChanges(messages: readonly ShownMessage[], changes: readonly UnsentChange[]) {
  return useMemo(() => showChanges(messages, changes), [messages, changes]);
}

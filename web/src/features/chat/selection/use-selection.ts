import { useCallback, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { restoreFocus } from '../../../ui/overlay/dismiss/restore-focus.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import type { ShownMessage } from '../chat-message.ts';

/** The maximum number of selected messages: as many as can be sent to a chat in a minute. */
const MAX_SELECTED = 100;

const NONE: ReadonlySet<string> = new Set();

/** Which messages of a chat are selected, for the list and for the bar above it. */
export interface Selection {
  /** The identifiers of the selected messages; empty while nothing is being selected. */
  readonly ids: ReadonlySet<string>;
  /** The message with which it began, whose checkbox gets the focus. */
  readonly first_id: string | undefined;
  /** @param returnTo the element that gets the focus when the selection ends */
  readonly start: (message_id: string, returnTo?: RefObject<HTMLElement | null>) => void;
  /** Adds a message or takes it out; without the last one the selection ends. */
  readonly toggle: (message_id: string) => void;
  readonly end: () => void;
}

/** Whether a message can be selected: what is deleted, not sent yet, or not a message cannot. */
export const isSelectable = ({ by, deleted, pending, call }: ShownMessage): boolean =>
  by !== undefined && !deleted && pending === undefined && call === undefined;

/** The selected messages that still exist, oldest first. @param messages newest first */
export const selectedOf = (messages: readonly ShownMessage[], ids: ReadonlySet<string>): ShownMessage[] =>
  messages.filter((one) => ids.has(one.id) && !one.deleted).toReversed();

/** The selection of messages in an open chat. Its functions stay the same, since rows are memoised. */
export function useSelection(): Selection {
  const [ids, setIds] = useState(NONE);
  const first_id = useRef<string>(undefined);
  const from = useRef<HTMLElement>(null);
  const latest = useRef(ids);
  latest.current = ids;
  const set = useCallback((next: ReadonlySet<string>) => {
    latest.current = next;
    setIds(next);
    if (next.size > 0) return;
    first_id.current = undefined;
    // The button is inert until the selection has been rendered without the message.
    requestAnimationFrame(() => restoreFocus(from.current));
  }, []);
  const start = useCallback<Selection['start']>(
    (message_id, returnTo) => {
      first_id.current = message_id;
      from.current = returnTo?.current ?? null;
      set(new Set([message_id]));
    },
    [set],
  );
  const toggle = useCallback(
    (message_id: string) => {
      const next = new Set(latest.current);
      if (!next.delete(message_id)) {
        if (next.size >= MAX_SELECTED) return showToast(i18n.t('Select up to {max} messages.', { max: MAX_SELECTED }));
        next.add(message_id);
      }
      set(next);
    },
    [set],
  );
  const end = useCallback(() => set(NONE), [set]);
  return { ids, first_id: first_id.current, start, toggle, end };
}

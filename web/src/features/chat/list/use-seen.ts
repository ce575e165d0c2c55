import { useEffect, useRef } from 'react';
import type { ListedRow } from './listed-rows.ts';
import { newestMessageOf } from './newest-message.ts';

/** How long rows are in sight until they count as seen, for a reader who stays: less is a scroll past them. */
const SEEN_AFTER_MS = 300;

interface SeenOptions {
  /** Oldest first. */
  readonly rows: readonly ListedRow[];
  readonly virtualizer: { readonly range: { readonly endIndex: number } | null };
  /** Whether it is known where the list opens. */
  readonly is_opened: boolean;
  /** Receives the newest message that is in sight, whenever that changes. */
  readonly onSeen: ((message_id: string) => void) | undefined;
}

/** Whether the list has been positioned: it opens at its end, and goes to the oldest unread message a frame later. */
function usePositioned(is_opened: boolean): { current: boolean } {
  const is_positioned = useRef(false);
  useEffect(() => {
    if (!is_opened) return;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        is_positioned.current = true;
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [is_opened]);
  return is_positioned;
}

/** Reports what comes into sight, and what still is when the reader leaves, however soon. */
export function useSeen({ rows, virtualizer, is_opened, onSeen }: SeenOptions): void {
  const latest = useRef({ rows, onSeen });
  latest.current = { rows, onSeen };
  const is_positioned = usePositioned(is_opened);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last_index = virtualizer.range?.endIndex;
  const report = () => {
    timer.current = undefined;
    const seen = newestMessageOf(latest.current.rows, virtualizer.range?.endIndex ?? -1);
    if (seen !== undefined) latest.current.onSeen?.(seen);
  };
  useEffect(() => {
    if (is_opened && timer.current === undefined) timer.current = setTimeout(report, SEEN_AFTER_MS);
  }, [rows, last_index, is_opened, virtualizer]);
  useEffect(
    () => () => {
      const is_pending = timer.current !== undefined;
      clearTimeout(timer.current);
      timer.current = undefined;
      if (is_pending && is_positioned.current) report();
    },
    [],
  );
}

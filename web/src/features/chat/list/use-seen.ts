import { useEffect, useRef } from 'react';
import type { ListedRow } from './listed-rows.ts';
import { newestMessageOf } from './newest-message.ts';

/** How long rows are in sight until they count as seen: a list that opens is shown at its end before it is positioned. */
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

/** Reports what comes into sight. */
export function useSeen({ rows, virtualizer, is_opened, onSeen }: SeenOptions): void {
  const latest = useRef({ rows, onSeen });
  latest.current = { rows, onSeen };
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last_index = virtualizer.range?.endIndex;
  useEffect(() => {
    if (!is_opened || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      const seen = newestMessageOf(latest.current.rows, virtualizer.range?.endIndex ?? -1);
      if (seen !== undefined) latest.current.onSeen?.(seen);
    }, SEEN_AFTER_MS);
  }, [rows, last_index, is_opened, virtualizer]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
}

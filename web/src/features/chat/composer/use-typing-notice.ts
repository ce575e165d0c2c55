import { useRef } from 'react';

/** The interval at which typing is reported to the others. */
const TYPING_INTERVAL_MS = 2_500;

/** Reports that the reader is typing, at most once in an interval. */
export function useTypingNotice(onTyping: (() => void) | undefined) {
  const reported_at_ms = useRef(0);
  return {
    report: () => {
      if (Date.now() - reported_at_ms.current < TYPING_INTERVAL_MS) return;
      reported_at_ms.current = Date.now();
      onTyping?.();
    },
    reset: () => {
      reported_at_ms.current = 0;
    },
  };
}

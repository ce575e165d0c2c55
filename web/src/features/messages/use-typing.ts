import { useCallback, useEffect, useRef, useState } from 'react';
import { useThreadTyping } from '../../data/stream.ts';

/** How long the indicator is shown after the last typing event. */
const SHOW_FOR_MS = 4_000;

/** Whether the peer of a thread is typing. @param newest_id the newest message, which ends the indicator */
export function useTyping(thread_id: string, newest_id: string | undefined): boolean {
  const [is_writing, setWriting] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useThreadTyping(
    thread_id,
    useCallback(() => {
      clearTimeout(timer.current);
      setWriting(true);
      timer.current = setTimeout(setWriting, SHOW_FOR_MS, false);
    }, []),
  );
  useEffect(() => {
    clearTimeout(timer.current);
    setWriting(false);
    return () => clearTimeout(timer.current);
  }, [thread_id, newest_id]);
  return is_writing;
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { useThreadTyping } from '../realtime/stream-context.tsx';

/** How long it is shown after the last telling. */
const SHOW_FOR_MS = 4_000;

/** Whether the peer of a thread is writing. @param newest_id what was written last, after which nobody writes any more */
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

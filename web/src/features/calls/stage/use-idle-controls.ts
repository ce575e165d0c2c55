import { useEffect, useState } from 'react';
import { useMediaQuery } from '../../../ui/hooks/use-media-query.ts';

const IDLE_MS = 4_000;
const ACTS = ['pointerdown', 'pointermove', 'keydown', 'focusin'] as const;

/** Whether the reader uses the controls, although they do not move. */
function areUsed(): boolean {
  const layer = document.querySelector('[role="menu"], [role="dialog"], [role="alertdialog"]');
  return layer !== null || document.activeElement?.matches('.call :focus-visible') === true;
}

/**
 * Whether the controls of a call are hidden, since the reader has not used them for a while: where there is no pointer
 * that hovers, and in a window that is low, in which they would cover the faces.
 * @param may_hide whether nothing else on the page needs them
 */
export function useIdleControls(may_hide: boolean): boolean {
  const is_small = useMediaQuery('(hover: none), (max-height: 500px)');
  const [is_idle, setIdle] = useState(false);
  const applies = may_hide && is_small;
  useEffect(() => {
    if (!applies) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(() => (areUsed() ? wait() : setIdle(true)), IDLE_MS);
    };
    const onAct = () => {
      clearTimeout(timer);
      setIdle(false);
      wait();
    };
    wait();
    for (const act of ACTS) addEventListener(act, onAct);
    return () => {
      clearTimeout(timer);
      setIdle(false);
      for (const act of ACTS) removeEventListener(act, onAct);
    };
  }, [applies]);
  return applies && is_idle;
}

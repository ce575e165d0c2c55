import { useEffect, useState } from 'react';
import { useMediaQuery } from '../../../ui/hooks/use-media-query.ts';

const IDLE_MS = 4_000;
const ACTS = ['keydown', 'focusin'] as const;
const POINTER_ACTS = ['pointerdown', 'pointermove'] as const;

/** Whether the reader uses the controls, although they do not move. */
function areUsed(): boolean {
  const layer = document.querySelector('[role="menu"], [role="dialog"], [role="alertdialog"]');
  return layer !== null || document.activeElement?.matches('.call :focus-visible') === true;
}

/** Whether a tap is on the stage itself, and not on a button there. */
const isOnStage = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.call-stage') !== null && target.closest('button, a, input') === null;

/**
 * Whether the controls of a call are hidden, since the reader has not used them for a while: where there is no pointer
 * that hovers, and in a window that is low, in which they would take the room of faces. A tap on the stage shows them,
 * and another one hides them.
 * @param may_hide whether nothing else on the page needs them
 */
export function useIdleControls(may_hide: boolean): boolean {
  const is_small = useMediaQuery('(hover: none), (max-height: 500px)');
  const [is_idle, setIdle] = useState(false);
  const applies = may_hide && is_small;
  useEffect(() => {
    if (!applies) return;
    let timer: ReturnType<typeof setTimeout>;
    let [is_hidden, is_touch] = [false, false];
    const hide = (hidden: boolean) => {
      clearTimeout(timer);
      is_hidden = hidden;
      setIdle(hidden);
      if (!hidden) wait();
    };
    const wait = () => {
      timer = setTimeout(() => (areUsed() ? wait() : hide(true)), IDLE_MS);
    };
    const onAct = () => hide(false);
    const onPointer = (event: PointerEvent) => {
      is_touch = event.pointerType === 'touch';
      if (!is_touch) onAct();
    };
    // A tap counts when it is complete: controls that came back under the finger would be pressed by it.
    const onClick = ({ target }: MouseEvent) => {
      if (is_touch) hide(!is_hidden && isOnStage(target));
    };
    wait();
    for (const act of ACTS) addEventListener(act, onAct);
    for (const act of POINTER_ACTS) addEventListener(act, onPointer);
    addEventListener('click', onClick);
    return () => {
      clearTimeout(timer);
      setIdle(false);
      for (const act of ACTS) removeEventListener(act, onAct);
      for (const act of POINTER_ACTS) removeEventListener(act, onPointer);
      removeEventListener('click', onClick);
    };
  }, [applies]);
  return applies && is_idle;
}

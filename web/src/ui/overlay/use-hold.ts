import { useRef } from 'react';
import type { MouseEvent, PointerEvent } from 'react';

/** How long a finger rests before it holds, as long as phones take for it. */
const HOLD_MS = 500;
/** A finger that moves more than this scrolls. */
const REST_PX = 10;

/**
 * Opens what a row has in its menu for a finger that rests on the row, and for the other button of a mouse.
 * @param onHold opens it; it may be called twice for one hold
 * @returns the properties of the row
 */
export function useHold(onHold: () => void) {
  const hold = useRef<{ timer: number; x: number; y: number; is_over: boolean }>(undefined);
  const end = () => clearTimeout(hold.current?.timer);
  const begin = () => {
    if (hold.current !== undefined) hold.current.is_over = true;
    onHold();
  };
  return {
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      end();
      hold.current = undefined;
      if (pointerType === 'mouse') return;
      hold.current = { timer: window.setTimeout(begin, HOLD_MS), x: clientX, y: clientY, is_over: false };
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const at = hold.current;
      if (at !== undefined && Math.hypot(clientX - at.x, clientY - at.y) > REST_PX) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      end();
      // A menu that appears under a button that is held down takes its end as a choice.
      if (event.buttons === 0) begin();
      else addEventListener('pointerup', begin, { once: true });
    },
    onClickCapture: (event: MouseEvent) => {
      // The end of a hold is no press of the row.
      if (hold.current?.is_over !== true) return;
      event.preventDefault();
      event.stopPropagation();
      hold.current = undefined;
    },
  };
}

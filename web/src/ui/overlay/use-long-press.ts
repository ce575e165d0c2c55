import { useRef } from 'react';
import type { MouseEvent, PointerEvent, TouchEvent } from 'react';

/** The duration of a long press, as on phones. */
const HOLD_MS = 500;
/** A finger that moves further than this scrolls. */
const REST_PX = 10;

/**
 * Opens the menu of a row on a long press and on a right click.
 * @param onHold opens it; it may be called twice for one press
 * @param isForBrowser whether a right click on an element is left to the browser, whose menu copies selected text and opens links
 * @returns the props of the row
 */
export function useLongPress(onHold: () => void, isForBrowser?: (target: EventTarget | null) => boolean) {
  const hold = useRef<{ timer: number; x: number; y: number; is_over: boolean }>(undefined);
  const end = () => clearTimeout(hold.current?.timer);
  const begin = () => {
    if (hold.current !== undefined) hold.current.is_over = true;
    onHold();
  };
  return {
    onPointerDown: ({ pointerType, clientX, clientY, target }: PointerEvent) => {
      end();
      hold.current = undefined;
      // A player's position is dragged.
      if (pointerType === 'mouse' || (target instanceof Element && target.closest('input') !== null)) return;
      hold.current = { timer: window.setTimeout(begin, HOLD_MS), x: clientX, y: clientY, is_over: false };
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const at = hold.current;
      if (at !== undefined && Math.hypot(clientX - at.x, clientY - at.y) > REST_PX) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    onTouchEnd: (event: TouchEvent) => {
      // The click that follows would go to whatever is below the finger by then: an item of the menu that has opened.
      if (hold.current?.is_over !== true) return;
      event.preventDefault();
      hold.current.is_over = false;
    },
    onContextMenu: (event: MouseEvent) => {
      if (hold.current === undefined && isForBrowser?.(event.target)) return;
      event.preventDefault();
      end();
      // A menu that opens under a button that is still pressed would take its release as a selection.
      if (event.buttons === 0) begin();
      else addEventListener('pointerup', begin, { once: true });
    },
    onClickCapture: (event: MouseEvent) => {
      // The release of a pen after a long press must not activate the row.
      if (hold.current?.is_over !== true) return;
      event.preventDefault();
      event.stopPropagation();
      hold.current = undefined;
    },
  };
}

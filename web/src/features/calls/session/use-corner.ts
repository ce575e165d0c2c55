import { useLayoutEffect, useRef, useState } from 'react';
import type { PointerEvent } from 'react';
import { easingOut } from '../../../ui/overlay/motion.ts';

/** A press that moves less than this is a tap, not a drag. */
const DRAG_PX = 6;
/** The duration of what changes on a page (`--mid`). */
const DURATION_MS = 200;

interface Drag {
  readonly x: number;
  readonly y: number;
  is_moved: boolean;
}

/** Lets a small window be dragged: it follows the pointer, and moves into the nearest corner when it is released. */
export function useCorner<E extends HTMLElement>() {
  const element = useRef<E>(null);
  const drag = useRef<Drag>(undefined);
  const released = useRef<DOMRect>(undefined);
  // A drag that ends in the same corner renders as well, so that the window moves back.
  const [{ corner }, setPlace] = useState({ corner: 'top right' });
  useLayoutEffect(() => {
    const from = released.current;
    released.current = undefined;
    if (from === undefined || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const to = element.current?.getBoundingClientRect() ?? from;
    const timing = { duration: DURATION_MS, easing: easingOut() };
    element.current?.animate({ translate: [`${from.x - to.x}px ${from.y - to.y}px`, '0 0'] }, timing);
  });
  const follow = (x: number, y: number) => {
    if (element.current !== null) element.current.style.translate = `${x}px ${y}px`;
  };
  const stop = () => {
    const { is_moved = false } = drag.current ?? {};
    drag.current = undefined;
    const at = element.current?.getBoundingClientRect();
    if (!is_moved || at === undefined) return;
    element.current?.style.removeProperty('translate');
    released.current = at;
    const vertical = at.y + at.height / 2 < innerHeight / 2 ? 'top' : 'bottom';
    setPlace({ corner: `${vertical} ${at.x + at.width / 2 < innerWidth / 2 ? 'left' : 'right'}` });
  };
  return {
    ref: element,
    'data-corner': corner,
    onPointerDown: (event: PointerEvent) => {
      if (event.target instanceof Element && event.target.closest('button, a') !== null) return;
      drag.current = { x: event.clientX, y: event.clientY, is_moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag.current === undefined) return;
      const [x, y] = [event.clientX - drag.current.x, event.clientY - drag.current.y];
      drag.current.is_moved ||= Math.hypot(x, y) >= DRAG_PX;
      if (drag.current.is_moved) follow(x, y);
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  };
}

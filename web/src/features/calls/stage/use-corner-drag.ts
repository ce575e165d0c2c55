import { useEffect, useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { easingOut } from '../../../ui/overlay/motion.ts';
import type { Corner } from './arrange-tiles.ts';

/** A press that moves less than this is a tap, not a drag. */
const DRAG_PX = 6;
/** The duration of what changes on a page (`--mid`). */
const DURATION_MS = 200;

interface Drag {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly tile: HTMLElement;
  is_moved: boolean;
}

interface Released {
  readonly tile: HTMLElement;
  readonly from: DOMRect;
}

/** The corner of the stage that is nearest to a tile. */
function nearestCorner(tile: DOMRect, stage: HTMLElement): Corner {
  const around = stage.getBoundingClientRect();
  const row = tile.y + tile.height / 2 < around.y + around.height / 2 ? 'top' : 'bottom';
  const is_left = tile.x + tile.width / 2 < around.x + around.width / 2;
  const is_mirrored = getComputedStyle(stage).direction === 'rtl';
  return `${row} ${is_left === is_mirrored ? 'end' : 'start'}`;
}

/**
 * Lets the small tile of a call of two be dragged away from what it covers: it follows the pointer, and moves into the
 * nearest corner of the stage when it is released.
 */
export function useCornerDrag(
  tiles: RefObject<HTMLElement | null>,
  is_pair: boolean,
  onCorner: (corner: Corner) => void,
): void {
  const released = useRef<Released>(undefined);
  useLayoutEffect(() => {
    if (released.current === undefined) return;
    const { tile, from } = released.current;
    released.current = undefined;
    const to = tile.getBoundingClientRect();
    const is_still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const timing = { duration: is_still ? 0 : DURATION_MS, easing: easingOut() };
    const motion = tile.animate({ translate: [`${from.x - to.x}px ${from.y - to.y}px`, '0 0'] }, timing);
    // It changes its place at once, with this motion instead of that of tiles.
    motion.onfinish = () => tile.style.removeProperty('transition');
  });
  useEffect(() => {
    const list = tiles.current;
    if (list === null || !is_pair) return;
    let drag: Drag | undefined;
    // The end of a drag must neither count as a tap, which hides the controls, nor press a button.
    const swallow = (event: MouseEvent) => event.stopPropagation();
    const onDown = (event: PointerEvent) => {
      list.removeEventListener('click', swallow, { capture: true });
      const tile = event.target instanceof Element ? event.target.closest('.tile[data-floating]') : null;
      if (!(tile instanceof HTMLElement) || event.button !== 0) return;
      drag = { id: event.pointerId, x: event.clientX, y: event.clientY, tile, is_moved: false };
    };
    const onMove = (event: PointerEvent) => {
      if (drag?.id !== event.pointerId) return;
      const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.is_moved && Math.hypot(x, y) < DRAG_PX) return;
      if (!drag.is_moved) list.setPointerCapture(event.pointerId);
      drag.is_moved = true;
      drag.tile.style.translate = `${x}px ${y}px`;
    };
    const onEnd = (event: PointerEvent) => {
      if (drag?.id !== event.pointerId) return;
      const { tile, is_moved } = drag;
      drag = undefined;
      if (!is_moved) return;
      list.addEventListener('click', swallow, { capture: true, once: true });
      const from = tile.getBoundingClientRect();
      tile.style.removeProperty('translate');
      tile.style.transition = 'none';
      released.current = { tile, from };
      onCorner(nearestCorner(from, list));
    };
    list.addEventListener('pointerdown', onDown);
    list.addEventListener('pointermove', onMove);
    list.addEventListener('pointerup', onEnd);
    list.addEventListener('pointercancel', onEnd);
    return () => {
      list.removeEventListener('click', swallow, { capture: true });
      list.removeEventListener('pointerdown', onDown);
      list.removeEventListener('pointermove', onMove);
      list.removeEventListener('pointerup', onEnd);
      list.removeEventListener('pointercancel', onEnd);
    };
  }, [tiles, is_pair, onCorner]);
}

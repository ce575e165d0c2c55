import { useEffect } from 'react';
import type { RefObject } from 'react';

/** How far a finger moves sideways until its page is turned, and how far the next one comes in. */
const TURN_PX = 56;
const SLIDE_PX = 96;
/** The share of its movement that the tiles follow where there is no further page. */
const RESISTANCE = 0.25;

interface Drag {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

interface Pages {
  readonly page: number;
  readonly page_count: number;
  readonly onPage: (page: number) => void;
}

/** Turns the pages of tiles by swiping along the line; the tiles follow the finger. */
export function useSwipe(tiles: RefObject<HTMLElement | null>, { page, page_count, onPage }: Pages): void {
  useEffect(() => {
    const list = tiles.current;
    if (list === null || page_count < 2) return;
    let drag: Drag | undefined;
    const follow = (px: number | undefined) => {
      list.style.transition = px === undefined ? '' : 'none';
      list.style.translate = px === undefined ? '' : `${px}px`;
    };
    /** The page that a movement leads to; the current one where there is no other. */
    const pageAt = (px: number) => {
      const is_mirrored = getComputedStyle(list).direction === 'rtl';
      const step = px < 0 === is_mirrored ? -1 : 1;
      return Math.min(page_count - 1, Math.max(0, page + step));
    };
    const onDown = (event: PointerEvent) => {
      drag = event.pointerType === 'touch' && event.isPrimary ? { ...pointOf(event), id: event.pointerId } : undefined;
    };
    const onMove = (event: PointerEvent) => {
      if (drag?.id !== event.pointerId) return;
      const moved = event.clientX - drag.x;
      follow(pageAt(moved) === page ? moved * RESISTANCE : moved);
    };
    const onEnd = (event: PointerEvent) => {
      if (drag?.id !== event.pointerId) return;
      const [moved, across] = [event.clientX - drag.x, event.clientY - drag.y];
      drag = undefined;
      const next = pageAt(moved);
      const is_turned = event.type === 'pointerup' && Math.abs(moved) > Math.max(TURN_PX, 2 * Math.abs(across));
      if (is_turned && next !== page) {
        onPage(next);
        // The next page comes in from where the finger came from.
        follow(Math.sign(-moved) * SLIDE_PX);
        list.getBoundingClientRect();
      }
      follow(undefined);
    };
    list.addEventListener('pointerdown', onDown);
    list.addEventListener('pointermove', onMove);
    list.addEventListener('pointerup', onEnd);
    list.addEventListener('pointercancel', onEnd);
    return () => {
      follow(undefined);
      list.removeEventListener('pointerdown', onDown);
      list.removeEventListener('pointermove', onMove);
      list.removeEventListener('pointerup', onEnd);
      list.removeEventListener('pointercancel', onEnd);
    };
  }, [tiles, page, page_count, onPage]);
}

const pointOf = ({ clientX, clientY }: PointerEvent) => ({ x: clientX, y: clientY });

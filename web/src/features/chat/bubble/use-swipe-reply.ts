import { useRef, useState } from 'react';
import type { PointerEvent } from 'react';

/** A finger that has moved further than this either swipes or scrolls. */
const REST_PX = 10;
/** How far a message follows until it is replied to, and at most. */
const REPLY_PX = 48;
const MAX_PX = 64;
/** The share of the movement of the finger that the message follows. */
const RESISTANCE = 0.7;

interface Swipe {
  readonly x: number;
  readonly y: number;
  is_followed: boolean;
  moved_px: number;
}

/**
 * Replies to a message that is swiped sideways on a touch screen, in either direction: messengers differ in it.
 * @param onReply undefined where nobody can reply
 * @returns the props of the row, which follows the finger, and the side at which a sign of the reply is uncovered
 */
export function useSwipeReply(onReply: (() => void) | undefined) {
  const swipe = useRef<Swipe>(undefined);
  const [side, setSide] = useState<'left' | 'right'>();
  const end = (row: HTMLElement, is_done: boolean) => {
    const { moved_px = 0, is_followed = false } = swipe.current ?? {};
    swipe.current = undefined;
    if (!is_followed) return;
    row.style.translate = '';
    row.removeAttribute('data-swiped');
    setSide(undefined);
    if (is_done && Math.abs(moved_px) >= REPLY_PX) onReply?.();
  };
  const props = {
    onPointerDown: ({ pointerType, isPrimary, target, clientX, clientY }: PointerEvent) => {
      // The position of a player is dragged.
      const is_drag = target instanceof Element && target.closest('input') !== null;
      const is_swipe = pointerType === 'touch' && isPrimary && !is_drag;
      swipe.current = is_swipe ? { x: clientX, y: clientY, is_followed: false, moved_px: 0 } : undefined;
    },
    onPointerMove: ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) => {
      const now = swipe.current;
      if (now === undefined) return;
      const [across, along] = [clientX - now.x, clientY - now.y];
      if (!now.is_followed) {
        if (Math.hypot(across, along) < REST_PX) return;
        if (Math.abs(across) < 2 * Math.abs(along)) {
          swipe.current = undefined;
          return;
        }
        now.is_followed = true;
      }
      const moved_px = Math.max(-MAX_PX, Math.min(MAX_PX, across * RESISTANCE));
      now.moved_px = moved_px;
      currentTarget.style.translate = `${moved_px}px`;
      currentTarget.toggleAttribute('data-swiped', Math.abs(moved_px) >= REPLY_PX);
      setSide(moved_px < 0 ? 'right' : 'left');
    },
    onPointerUp: ({ currentTarget }: PointerEvent<HTMLElement>) => end(currentTarget, true),
    onPointerCancel: ({ currentTarget }: PointerEvent<HTMLElement>) => end(currentTarget, false),
  };
  return { side, props: onReply === undefined ? {} : props };
}

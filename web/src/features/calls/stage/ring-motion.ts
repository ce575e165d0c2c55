/** The motion from an accepted ring to the tile of the caller. */
import type { Call } from '@asterism/sdk';
import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { callerOf } from '../../../data/queries/call-queries.ts';
import { easingOut } from '../../../ui/overlay/motion.ts';

/** As the sheets (`--slow`). */
const DURATION_MS = 320;
/** A ring that was accepted longer ago is not where the reader looks any more. */
const MAX_AGE_MS = 5_000;
/** The corners of the ring (`--r-xl`). */
const RADIUS_PX = 28;

interface AcceptedRing {
  /** The participant who called. */
  readonly caller_id: string;
  readonly card: DOMRect;
  readonly face: DOMRect;
  readonly accepted_ms: number;
  /** When the first tile of the caller was shown. */
  started_ms?: number;
}

let accepted: AcceptedRing | undefined;

/** Stores where the card of a ring is, from which the tile of its caller will grow. */
export function startRingMotion(call: Call, user_id: string | undefined, card: HTMLElement | null): void {
  const face = card?.querySelector('.av');
  const caller_id = callerOf(call, user_id)?.id;
  if (card === null || face == null || caller_id === undefined) return;
  accepted = {
    caller_id,
    card: card.getBoundingClientRect(),
    face: face.getBoundingClientRect(),
    accepted_ms: performance.now(),
  };
}

/** The ring that the tile of a participant grows from; undefined when there is none, or the motion is over. */
function ringOf(participant_id: string | undefined): AcceptedRing | undefined {
  if (accepted === undefined || accepted.caller_id !== participant_id) return undefined;
  const now_ms = performance.now();
  const { accepted_ms, started_ms = now_ms } = accepted;
  const is_over = now_ms > started_ms + DURATION_MS || now_ms > accepted_ms + MAX_AGE_MS;
  if (is_over || matchMedia('(prefers-reduced-motion: reduce)').matches) accepted = undefined;
  else accepted.started_ms = started_ms;
  return accepted;
}

/** How an element is clipped so that only a rectangle of the window is seen of it. */
function clipTo(box: DOMRect, { top, right, bottom, left }: DOMRect): string {
  const edges = [top - box.top, box.right - right, box.bottom - bottom, left - box.left];
  return `inset(${edges.map((px) => `${px}px`).join(' ')} round ${RADIUS_PX}px)`;
}

/** How a face is moved and scaled to another place. */
function moveTo(box: DOMRect, { x, y, width }: DOMRect): string {
  return `translate(${x - box.x}px, ${y - box.y}px) scale(${width / box.width})`;
}

/**
 * Lets the tile of a caller grow from the accepted ring, and its face from the one there. A tile that replaces another
 * in the meantime, such as the placeholder, continues its motion.
 * @returns the ref of the tile
 */
export function useRingMotion<E extends HTMLElement>(participant_id: string | undefined): RefObject<E | null> {
  const tile = useRef<E>(null);
  useLayoutEffect(() => {
    const ring = ringOf(participant_id);
    if (ring === undefined || tile.current === null) return;
    const timing = { duration: DURATION_MS, easing: easingOut() };
    const played_ms = performance.now() - (ring.started_ms ?? 0);
    const play = (element: Element | null, from: Keyframe, to: Keyframe) => {
      if (element !== null) element.animate([from, to], timing).currentTime = played_ms;
    };
    const box = tile.current.getBoundingClientRect();
    // The ring may reach over the edge of the stage.
    const shown = { overflow: 'visible' };
    play(tile.current, { ...shown, clipPath: clipTo(box, ring.card) }, { ...shown, clipPath: clipTo(box, box) });
    const face = tile.current.querySelector('.av');
    if (face === null) return;
    // A transform alone would move on while code is loading, ahead of the tile: browsers animate it in another thread
    // than a clip. With a clip of its own, which hides nothing, the face keeps pace.
    const shared = { transformOrigin: '0 0', clipPath: 'inset(-50%)' };
    const transform = moveTo(face.getBoundingClientRect(), ring.face);
    play(face, { ...shared, transform }, { ...shared, transform: 'none' });
  }, []);
  return tile;
}

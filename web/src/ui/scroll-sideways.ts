import type { WheelEvent } from 'react';

/** What one step of a wheel scrolls that counts in lines instead of pixels, in pixels. */
const LINE_PX = 20;

/** Lets the wheel of a mouse scroll a line sideways that has no visible scrollbar: its `onWheel`. */
export function scrollSideways({ currentTarget: line, deltaX, deltaY, deltaMode }: WheelEvent<HTMLElement>): void {
  if (deltaX !== 0) return;
  const to_end = getComputedStyle(line).direction === 'rtl' ? -1 : 1;
  line.scrollLeft += deltaY * to_end * (deltaMode === 0 ? 1 : LINE_PX);
}

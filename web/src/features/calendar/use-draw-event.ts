import { useRef, useState } from 'react';
import type { MouseEvent, PointerEvent } from 'react';

const DAY_MIN = 1440;
const STEP_MIN = 15;
const USUAL_MIN = 60;

interface Drawn {
  from_min: number;
  to_min: number;
}

/**
 * Draws an event into a column of a day: with a mouse by dragging, with a finger by tapping, since dragging scrolls.
 * @param onDrawn gets the start in minutes after midnight, and the duration in minutes
 */
export function useDrawEvent(onDrawn: (from_min: number, length_min: number) => void) {
  const [drawn, setDrawn] = useState<Drawn>();
  const from = useRef<number | undefined>(undefined);
  const minuteAt = (event: MouseEvent<HTMLElement>) => {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const minute = ((event.clientY - top) / height) * DAY_MIN;
    return Math.min(DAY_MIN, Math.max(0, Math.round(minute / STEP_MIN) * STEP_MIN));
  };
  const spanTo = (to: number): Drawn => ({
    from_min: Math.min(from.current ?? to, to),
    to_min: Math.max(from.current ?? to, to),
  });
  const stop = () => {
    from.current = undefined;
    setDrawn(undefined);
  };
  const finish = ({ from_min, to_min }: Drawn) => {
    const is_short = to_min - from_min < STEP_MIN;
    const begin = Math.min(is_short ? Math.floor(from_min / 30) * 30 : from_min, DAY_MIN - USUAL_MIN);
    onDrawn(is_short ? begin : from_min, is_short ? USUAL_MIN : to_min - from_min);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.target !== event.currentTarget || event.button !== 0 || event.pointerType === 'touch') return;
      event.currentTarget.setPointerCapture(event.pointerId);
      from.current = minuteAt(event);
      setDrawn(spanTo(from.current));
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (from.current !== undefined) setDrawn(spanTo(minuteAt(event)));
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (from.current === undefined) return;
      const span = spanTo(minuteAt(event));
      stop();
      finish(span);
    },
    onPointerCancel: stop,
    onClick: (event: MouseEvent<HTMLElement>) => {
      const { pointerType } = event.nativeEvent as unknown as globalThis.PointerEvent;
      if (event.target !== event.currentTarget || pointerType !== 'touch') return;
      const minute = minuteAt(event);
      finish({ from_min: minute, to_min: minute });
    },
  };
  return { drawn, handlers };
}

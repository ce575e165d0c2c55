import { useRef } from 'react';
import type { MouseEvent, PointerEvent, RefObject, WheelEvent } from 'react';
import { clampView, FITTED, toggleZoom, zoomAt } from './zoom.ts';
import type { Point, Size, View } from './zoom.ts';

/** A pointer that moves further than this drags. */
const REST_PX = 8;
/** How far, and how fast, a swipe leads to the next picture, or a drag down closes. */
const FAR_PX = 80;
const FAST_PX_PER_MS = 0.5;
/** The longest time between the taps of a double one: with a mouse nothing waits for the second. */
const DOUBLE_MS = { touch: 300, mouse: 500 } as const;
const DOUBLE_PX = 40;

interface Gesture {
  /** The pointers that are down, by their number. */
  readonly pointers: Map<number, Point>;
  kind: 'rest' | 'swipe' | 'dismiss' | 'pan' | 'pinch' | 'none';
  /** Where the gesture started, when, and how the picture was zoomed then. */
  from: Point;
  started_ms: number;
  view: View;
  distance: number;
}

interface GestureProps {
  /** The element whose centre is that of the fitted picture. */
  viewport: RefObject<HTMLElement | null>;
  viewport_size: Size;
  /** The picture in its pixels, and as it fits. */
  picture: Size;
  fitted: Size;
  view: View;
  onView: (view: View) => void;
  /** The row of pictures is dragged, or its picture moved in place; undefined once it is released. */
  onDrag: (by: Point | undefined) => void;
  /** A swipe ends: to the next picture on the right (1) or on the left (-1). */
  onSwipe: (side: 1 | -1) => void;
  onClose: () => void;
  /** A single tap by a finger. */
  onTap: () => void;
  /** A mouse moves. */
  onMouse: () => void;
}

const distanceOf = ([one, other]: readonly Point[]): number =>
  one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0;
const middleOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});
/** The height of a video's own controls, above its lower edge. */
const CONTROLS_PX = 96;

/** Whether a press is for a video's own controls: with a mouse all of it plays and pauses. */
function isForVideo({ target, clientY, pointerType }: PointerEvent): boolean {
  if (!(target instanceof HTMLVideoElement)) return false;
  return pointerType === 'mouse' || clientY > target.getBoundingClientRect().bottom - CONTROLS_PX;
}

const typeOf = ({ pointerType }: PointerEvent): 'mouse' | 'touch' => (pointerType === 'mouse' ? 'mouse' : 'touch');

/** What a pointer that starts to move does: a mouse only moves a zoomed picture. */
function kindOf(event: PointerEvent, { x, y }: Point, scale: number): Gesture['kind'] {
  if (scale > 1) return 'pan';
  if (typeOf(event) === 'mouse') return 'none';
  return Math.abs(x) > Math.abs(y) ? 'swipe' : 'dismiss';
}

/** Whether a drag was far or fast enough to lead somewhere. */
const leads = (px: number, started_ms: number): boolean =>
  Math.abs(px) > FAR_PX || Math.abs(px) / (performance.now() - started_ms) > FAST_PX_PER_MS;

/** How a picture is zoomed that is pinched, or moved in place. */
function transform({ kind, view, from, distance }: Gesture, points: readonly Point[], by: Point): View {
  const scale = kind === 'pan' ? view.scale : (view.scale * distanceOf(points)) / distance;
  const zoomed = zoomAt(view, scale, from);
  return { ...zoomed, x: zoomed.x + by.x, y: zoomed.y + by.y };
}

/** Follows the pointers: with the row of pictures, or with the zoomed picture. */
function follow(
  event: PointerEvent,
  at: Gesture,
  { view, onDrag }: Pick<GestureProps, 'view' | 'onDrag'>,
  show: (view: View) => void,
): void {
  const points = [...at.pointers.values()];
  const middle = middleOf(points);
  const by = { x: middle.x - at.from.x, y: middle.y - at.from.y };
  if (at.kind === 'rest' && Math.hypot(by.x, by.y) > REST_PX) at.kind = kindOf(event, by, view.scale);
  if (at.kind === 'swipe') onDrag({ x: by.x, y: 0 });
  if (at.kind === 'dismiss') onDrag({ x: 0, y: by.y });
  if (at.kind !== 'pan' && at.kind !== 'pinch') return;
  show(transform(at, points, by));
  onDrag({ x: 0, y: 0 });
}

/** Reports single and double taps. A single one by a finger is reported once no second one can follow. */
function useTaps(onSingle: () => void, onDouble: (at: Point) => void) {
  const last = useRef<{ at: Point; ms: number; timer: number | undefined }>(undefined);
  return (type: 'mouse' | 'touch', at: Point) => {
    const before = last.current;
    clearTimeout(before?.timer);
    last.current = undefined;
    const is_near = before !== undefined && distanceOf([before.at, at]) < DOUBLE_PX;
    if (is_near && performance.now() - before.ms < DOUBLE_MS[type]) return onDouble(at);
    const timer = type === 'mouse' ? undefined : window.setTimeout(onSingle, DOUBLE_MS.touch);
    last.current = { at, ms: performance.now(), timer };
  };
}

/** What only a mouse does: a click beside the picture closes, and the wheel moves and zooms. */
function mouseHandlers(
  { view, fitted, onClose }: GestureProps,
  place: (event: MouseEvent) => Point,
  show: (view: View) => void,
  is_click: { readonly current: boolean },
) {
  return {
    onClick: (event: MouseEvent) => {
      const at = place(event);
      const is_beside = Math.abs(at.x) > fitted.width / 2 || Math.abs(at.y) > fitted.height / 2;
      // The second press of a double click belongs to the one that opened the picture.
      if (is_click.current && view === FITTED && is_beside && event.detail < 2) onClose();
    },
    onWheel: (event: WheelEvent) => {
      if (event.ctrlKey) {
        // Otherwise the browser would zoom the page.
        event.preventDefault();
        const by = Math.min(50, Math.max(-50, event.deltaY));
        show(zoomAt(view, view.scale * Math.exp(-by / 100), place(event)));
      } else if (view.scale > 1) show({ ...view, x: view.x - event.deltaX, y: view.y - event.deltaY });
    },
  };
}

/**
 * Pointers and the wheel on the shown picture: swipe, drag down, pinch, double tap, and moving what is zoomed.
 * @returns the props of the element that takes them
 */
export function useGestures(props: GestureProps) {
  const { viewport, viewport_size, picture, fitted, view, onView, onDrag, onSwipe, onClose, onTap, onMouse } = props;
  const gesture = useRef<Gesture>(undefined);
  const is_click = useRef(false);
  const show = (next: View) => onView(clampView(next, fitted, viewport_size));
  const place = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left = 0, top = 0, width = 0, height = 0 } = viewport.current?.getBoundingClientRect() ?? {};
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };
  const tap = useTaps(onTap, (at) => show(toggleZoom(view, at, picture, fitted)));

  function start(pointers: Gesture['pointers'], kind: Gesture['kind']): void {
    const points = [...pointers.values()];
    const [from, distance] = [middleOf(points), distanceOf(points)];
    gesture.current = { pointers, kind, from, started_ms: performance.now(), view, distance };
  }

  function end(event: PointerEvent, { kind, from, started_ms }: Gesture): void {
    const at = place(event);
    const by = { x: at.x - from.x, y: at.y - from.y };
    onDrag(undefined);
    if (kind === 'rest' && !(event.target instanceof HTMLVideoElement)) tap(typeOf(event), at);
    if (kind === 'swipe' && leads(by.x, started_ms)) onSwipe(by.x < 0 ? 1 : -1);
    if (kind === 'dismiss' && leads(by.y, started_ms)) onClose();
  }

  function lift(event: PointerEvent, is_over: boolean): void {
    const at = gesture.current;
    if (at === undefined || !at.pointers.delete(event.pointerId)) return;
    is_click.current = at.kind === 'rest' && typeOf(event) === 'mouse';
    // The finger that remains after a pinch moves the picture.
    if (at.pointers.size > 0) return start(at.pointers, view.scale > 1 ? 'pan' : 'none');
    gesture.current = undefined;
    if (is_over) end(event, at);
    else onDrag(undefined);
  }

  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || isForVideo(event)) return;
      // A captured press never reaches a video, which plays and pauses by it.
      if (!(event.target instanceof HTMLVideoElement)) event.currentTarget.setPointerCapture(event.pointerId);
      const pointers = gesture.current?.pointers ?? new Map<number, Point>();
      pointers.set(event.pointerId, place(event));
      onDrag(undefined);
      start(pointers, pointers.size > 1 ? 'pinch' : 'rest');
    },
    onPointerMove: (event: PointerEvent) => {
      if (typeOf(event) === 'mouse') onMouse();
      const at = gesture.current;
      if (at?.pointers.has(event.pointerId) !== true) return;
      at.pointers.set(event.pointerId, place(event));
      follow(event, at, props, show);
      if (at.kind !== 'rest') event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerUp: (event: PointerEvent) => lift(event, true),
    onPointerCancel: (event: PointerEvent) => lift(event, false),
    ...mouseHandlers(props, place, show, is_click),
  };
}

import { easingOut } from '../motion.ts';

/** From this width on, layers are in the middle of the window and are not dragged (`styles/sheets.css`). */
const CENTRED = '(min-width: 900px)';
/** A finger that rests this long first selects text, or opens the menu of what is below it. */
const HOLD_MS = 400;
/** A layer that is dragged by a third of its height, but at most this far, is dismissed, and so is one that is thrown. */
const FAR_PX = 160;
const FAST_PX_PER_MS = 0.5;
/** How far a throw moves the layer at least. */
const THROW_PX = 16;
/** The speed is that of the last moments: a finger that has stopped throws nothing. */
const RECENT_MS = 100;
const BACK_MS = 200;

/** What moves by itself below a finger. */
const MOVES_ITSELF = 'input[type="range"], canvas, video, .maplibregl-map';

type Sample = { y: number; at_ms: number };

/** Whether something between what is touched and the layer is scrolled down: the finger then scrolls it back. */
function isScrolled(layer: HTMLElement, touched: Element): boolean {
  for (let element: Element | null = touched; element !== null; element = element.parentElement) {
    if (element.scrollTop > 0) return true;
    if (element === layer) return false;
  }
  return false;
}

/** The shade of the page below a layer. */
const shadeOf = ({ previousElementSibling }: HTMLElement): HTMLElement | undefined =>
  previousElementSibling instanceof HTMLElement && previousElementSibling.matches('.scrim, .dialog-veil')
    ? previousElementSibling
    : undefined;

/** The layer where the finger has taken it; the page below becomes as bright as it is uncovered. */
function moveTo(layer: HTMLElement, by_px: number): void {
  layer.style.transform = by_px === 0 ? '' : `translateY(${by_px}px)`;
  const shade = shadeOf(layer);
  if (shade) shade.style.opacity = by_px === 0 ? '' : String(1 - by_px / layer.offsetHeight);
  if (by_px === 0) delete layer.dataset['dragged'];
  else layer.dataset['dragged'] = '';
}

/** Puts a layer back in its place, with motion unless that is reduced. */
function springBack(layer: HTMLElement): void {
  const options = { duration: BACK_MS, easing: easingOut() };
  const { transform } = layer.style;
  const shade = shadeOf(layer);
  const opacity = shade?.style.opacity ?? '';
  moveTo(layer, 0);
  if (transform === '' || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  layer.animate({ transform: [transform, 'none'] }, options);
  shade?.animate({ opacity: [opacity, '1'] }, options);
}

/** A layer that follows a pointer down; `end` decides whether it is dismissed. */
function followDown(layer: HTMLElement, dismiss: () => void, first: Sample) {
  let samples = [first];
  let by_px = 0;
  return {
    move(y: number, at_ms: number) {
      samples = [...samples.filter((one) => at_ms - one.at_ms < RECENT_MS), { y, at_ms }];
      by_px = Math.max(0, y - first.y);
      moveTo(layer, by_px);
    },
    end(at_ms: number) {
      const recent = samples.filter((one) => at_ms - one.at_ms < RECENT_MS);
      const [from, to] = [recent[0], recent.at(-1)];
      const speed = from && to && to.at_ms > from.at_ms ? (to.y - from.y) / (to.at_ms - from.at_ms) : 0;
      const is_thrown = speed > FAST_PX_PER_MS && by_px > THROW_PX;
      const is_far = by_px > Math.min(layer.offsetHeight / 3, FAR_PX) && speed > -FAST_PX_PER_MS;
      if (!is_thrown && !is_far) {
        springBack(layer);
        return;
      }
      dismiss();
      // Its owner may keep it open, such as to ask first.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (layer.isConnected) springBack(layer);
        }),
      );
    },
    cancel: () => springBack(layer),
  };
}

/** Lets fingers drag a layer anywhere, unless what they touch scrolls, moves by itself, or is held. */
function dragByTouch(layer: HTMLElement, dismiss: () => void, signal: AbortSignal): void {
  let from: { x: number; y: number; at_ms: number; target: Element } | undefined;
  let drag: ReturnType<typeof followDown> | undefined;
  const cancel = () => {
    from = undefined;
    drag?.cancel();
    drag = undefined;
  };
  const start = ({ touches, target, timeStamp }: TouchEvent) => {
    cancel();
    const [touch] = touches;
    if (touches.length !== 1 || touch === undefined || !(target instanceof Element)) return;
    if (matchMedia(CENTRED).matches || target.closest(MOVES_ITSELF)) return;
    from = { x: touch.clientX, y: touch.clientY, at_ms: timeStamp, target };
  };
  const move = (event: TouchEvent) => {
    const { timeStamp, cancelable } = event;
    const [touch] = event.touches;
    if (touch === undefined) return;
    if (from) {
      const { x, y, at_ms, target } = from;
      const by = { x: touch.clientX - x, y: touch.clientY - y };
      if (by.x === 0 && by.y === 0) return;
      from = undefined;
      // The first movement decides: once the browser scrolls, it cannot be stopped.
      const is_down = by.y > Math.abs(by.x) && timeStamp - at_ms < HOLD_MS;
      if (!cancelable || !is_down || isScrolled(layer, target)) return;
      drag = followDown(layer, dismiss, { y: touch.clientY, at_ms: timeStamp });
    }
    if (!drag) return;
    event.preventDefault();
    drag.move(touch.clientY, timeStamp);
  };
  const end = ({ timeStamp }: TouchEvent) => {
    from = undefined;
    drag?.end(timeStamp);
    drag = undefined;
  };
  layer.addEventListener('touchstart', start, { signal, passive: true });
  layer.addEventListener('touchmove', move, { signal, passive: false });
  layer.addEventListener('touchend', end, { signal });
  layer.addEventListener('touchcancel', cancel, { signal });
}

/** Lets a mouse drag a layer by its handle. */
function dragByMouse(layer: HTMLElement, dismiss: () => void, signal: AbortSignal): void {
  const grip = layer.querySelector<HTMLElement>('.sheet-grip');
  let drag: ReturnType<typeof followDown> | undefined;
  grip?.addEventListener(
    'pointerdown',
    ({ pointerType, pointerId, clientY, timeStamp }) => {
      if (pointerType === 'touch') return;
      grip.setPointerCapture(pointerId);
      drag = followDown(layer, dismiss, { y: clientY, at_ms: timeStamp });
    },
    { signal },
  );
  grip?.addEventListener('pointermove', ({ clientY, timeStamp }) => drag?.move(clientY, timeStamp), { signal });
  grip?.addEventListener(
    'lostpointercapture',
    ({ timeStamp }) => {
      drag?.end(timeStamp);
      drag = undefined;
    },
    { signal },
  );
}

/**
 * Lets a layer at the bottom of the window be dragged down and thereby dismissed: by its handle, and by its content where
 * that is not scrolled. It springs back when it is let go too early, and when `dismiss` leaves it open.
 * @returns a function that ends this
 */
export function dragToDismiss(layer: HTMLElement, dismiss: () => void): () => void {
  const ending = new AbortController();
  dragByTouch(layer, dismiss, ending.signal);
  dragByMouse(layer, dismiss, ending.signal);
  return () => ending.abort();
}

/** What a copy must not share with the page: ids and what refers to them, and groups of radio buttons. */
const OWN = ['id', 'name', 'for', 'aria-labelledby', 'aria-describedby'];

function copyOf(layer: HTMLElement): HTMLElement {
  const copy = layer.cloneNode(true) as HTMLElement;
  for (const element of [copy, ...copy.querySelectorAll('*')]) for (const name of OWN) element.removeAttribute(name);
  for (const media of copy.querySelectorAll('video, audio, iframe')) media.remove();
  copy.inert = true;
  copy.ariaHidden = 'true';
  copy.dataset['leaving'] = '';
  return copy;
}

/** Keeps a copy that is positioned by its menu's anchor, and not by its own styles, where the menu was. */
function keepInPlace(copy: HTMLElement, { left, top, width, height }: DOMRect): void {
  Object.assign(copy.style, {
    position: 'fixed',
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    margin: '0',
  });
}

async function leave(copy: HTMLElement, scrolled_px: number): Promise<void> {
  document.body.append(copy);
  copy.scrollTop = scrolled_px;
  await Promise.allSettled(copy.getAnimations().map(({ finished }) => finished));
  copy.remove();
}

/**
 * A ref for a layer (sheet, dialog, scrim or menu), which shows it leaving by the animation of `[data-leaving]`.
 * Radix would keep the layer itself until its animation ends: the focus, the scrolling and the page for screen readers
 * would return that much later, and a layer whose parent is removed would not be animated. Here the layer is removed at
 * once, and an inert copy fades in its place.
 */
export function leaving(layer: HTMLElement | null): (() => void) | undefined {
  if (layer === null) return undefined;
  return () => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const place = layer.getBoundingClientRect();
    const scrolled_px = layer.scrollTop;
    const is_placed = getComputedStyle(layer).position === 'fixed';
    // A ref is also released when another one replaces it; only a removed layer leaves.
    queueMicrotask(() => {
      if (layer.isConnected) return;
      const copy = copyOf(layer);
      if (!is_placed) keepInPlace(copy, place);
      void leave(copy, scrolled_px);
    });
  };
}

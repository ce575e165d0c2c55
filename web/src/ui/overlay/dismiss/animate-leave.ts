/** What a copy must not share with the page: ids and what refers to them, and groups of radio buttons. */
const OWN = ['id', 'name', 'for', 'aria-labelledby', 'aria-describedby'];

function copyOf(layer: HTMLElement): HTMLElement {
  const copy = layer.cloneNode(true) as HTMLElement;
  for (const element of [copy, ...copy.querySelectorAll('*')]) for (const name of OWN) element.removeAttribute(name);
  copy.inert = true;
  copy.ariaHidden = 'true';
  copy.dataset['leaving'] = '';
  return copy;
}

/** Where a layer is that is positioned by its anchor, and not by its own styles; `sizes` are properties set there. */
interface Place {
  box: DOMRect;
  sizes: [name: string, value: string][];
}

function placeOf(layer: HTMLElement): Place {
  const { style } = layer.parentElement ?? layer;
  const names = [...style].filter((name) => name.startsWith('--'));
  return { box: layer.getBoundingClientRect(), sizes: names.map((name) => [name, style.getPropertyValue(name)]) };
}

/** Keeps a copy where its layer was. */
function keepInPlace({ style }: HTMLElement, { box: { left, top, width, height }, sizes }: Place): void {
  for (const [name, value] of sizes) style.setProperty(name, value);
  Object.assign(style, {
    position: 'fixed',
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    margin: '0',
  });
}

/** A layer and all in it, in the same order in a copy. */
const partsOf = (layer: HTMLElement): Element[] => [layer, ...layer.querySelectorAll('*')];

/** The scrolled parts of a layer, by their numbers. */
const scrolledIn = (layer: HTMLElement): [number: number, scrolled_px: number][] =>
  partsOf(layer).flatMap(({ scrollTop }, number) => (scrollTop === 0 ? [] : [[number, scrollTop]]));

async function leave(copy: HTMLElement, scrolled: ReturnType<typeof scrolledIn>): Promise<void> {
  const parts = partsOf(copy);
  for (const media of copy.querySelectorAll('video, audio, iframe')) media.remove();
  document.body.append(copy);
  for (const [number, scrolled_px] of scrolled) if (parts[number]) parts[number].scrollTop = scrolled_px;
  await Promise.allSettled(copy.getAnimations().map(({ finished }) => finished));
  copy.remove();
}

/**
 * A ref for a layer (sheet, dialog, scrim, menu or suggestions), which shows it leaving by the animation of `[data-leaving]`.
 * Radix would keep the layer itself until its animation ends: the focus, the scrolling and the page for screen readers
 * would return that much later, and a layer whose parent is removed would not be animated. Here the layer is removed at
 * once, and an inert copy fades in its place.
 */
export function animateLeave(layer: HTMLElement | null): (() => void) | undefined {
  if (layer === null) return undefined;
  return () => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const place = getComputedStyle(layer).position === 'fixed' ? undefined : placeOf(layer);
    const scrolled = scrolledIn(layer);
    // A ref is also released when another one replaces it; only a removed layer leaves.
    queueMicrotask(() => {
      if (layer.isConnected) return;
      const copy = copyOf(layer);
      if (place !== undefined) keepInPlace(copy, place);
      void leave(copy, scrolled);
    });
  };
}

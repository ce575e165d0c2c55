/** A size in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Calls a function with the content size of an element, now and as it changes. @returns ends it */
export function observeSize(element: Element, onSize: (size: Size) => void): () => void {
  const observer = new ResizeObserver(([entry]) => {
    if (entry !== undefined) onSize({ width: entry.contentRect.width, height: entry.contentRect.height });
  });
  observer.observe(element);
  return () => observer.disconnect();
}

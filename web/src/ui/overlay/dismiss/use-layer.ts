import { useCallback, useRef, type RefCallback } from 'react';
import { leaving } from './leaving.ts';
import { dragDown } from './drag-down.ts';

/**
 * A ref for the element of a sheet or dialog, which can be dragged down and leaves with motion.
 * @param onDrag the layer was dragged down far enough
 */
export function useLayer(onDrag: () => void): RefCallback<HTMLDivElement> {
  const dragged = useRef(onDrag);
  dragged.current = onDrag;
  return useCallback((layer: HTMLDivElement | null) => {
    if (layer === null) return undefined;
    const endings = [leaving(layer), dragDown(layer, () => dragged.current())];
    return () => endings.forEach((end) => end?.());
  }, []);
}

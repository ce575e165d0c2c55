import { useCallback, useRef, type RefCallback } from 'react';
import { animateLeave } from './animate-leave.ts';
import { dragToDismiss } from './drag-to-dismiss.ts';

/**
 * A ref for the element of a sheet or dialog, which can be dragged down and leaves with motion.
 * @param onDrag the layer was dragged down far enough
 */
export function useDismissibleLayer(onDrag: () => void): RefCallback<HTMLDivElement> {
  const dragged = useRef(onDrag);
  dragged.current = onDrag;
  return useCallback((layer: HTMLDivElement | null) => {
    if (layer === null) return undefined;
    const endings = [animateLeave(layer), dragToDismiss(layer, () => dragged.current())];
    return () => endings.forEach((end) => end?.());
  }, []);
}

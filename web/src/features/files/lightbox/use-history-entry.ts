import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { newKey } from '../../../data/new-key.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The lightbox that is open over the page. */
    lightbox?: string | undefined;
  }
}

/**
 * Makes a layer an entry of the history of its own, so that going back closes it, as does going to another page.
 * @param onGone closes the layer; it is called once
 * @returns goes back, and closes the layer at once
 */
export function useHistoryEntry(onGone: () => void): () => void {
  const router = useRouter();
  const [id] = useState(newKey);
  const isHere = () => router.history.location.state.lightbox === id;
  useEffect(() => {
    const opening = router.navigate({
      to: '.',
      search: true,
      hash: true,
      state: (state) => ({ ...state, lightbox: id }),
      resetScroll: false,
    });
    void opening.catch(() => undefined);
    return router.history.subscribe(() => {
      if (!isHere()) onGone();
    });
    // Once: the entry is that of the layer.
  }, []);
  return () => {
    const is_here = isHere();
    onGone();
    if (is_here) router.history.back();
  };
}

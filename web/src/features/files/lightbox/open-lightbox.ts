import type { AnyRouter } from '@tanstack/react-router';
import { newKey } from '../../../data/new-key.ts';
import type { LightboxPicture } from './pictures.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The lightbox that is open over the page, so that going back closes it. */
    lightbox?: string | undefined;
  }
}

/** What the lightbox shows, and from where it was opened. */
export interface OpenLightbox {
  readonly id: string;
  readonly pictures: readonly LightboxPicture[];
  readonly index: number;
  readonly opener: HTMLElement;
  readonly close: () => void;
}

let shown: OpenLightbox | undefined;
let stopListening: (() => void) | undefined;
const listeners = new Set<() => void>();

function change(next: OpenLightbox | undefined): void {
  stopListening?.();
  stopListening = undefined;
  shown = next;
  for (const listener of listeners) listener();
}

export const currentLightbox = (): OpenLightbox | undefined => shown;

export function subscribeLightbox(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Opens the lightbox as an entry of the history, which going back, or to another page, closes. */
export function openLightbox(router: AnyRouter, what: Pick<OpenLightbox, 'pictures' | 'index' | 'opener'>): void {
  const id = newKey();
  const isHere = () => router.history.location.state.lightbox === id;
  const close = () => {
    if (shown?.id !== id) return;
    const is_here = isHere();
    // At once, so that a second press cannot go back twice.
    change(undefined);
    if (is_here) router.history.back();
  };
  change({ ...what, id, close });
  void router
    .navigate({
      to: '.',
      search: true,
      hash: true,
      state: (state: object) => ({ ...state, lightbox: id }),
      resetScroll: false,
    })
    .catch(() => undefined);
  stopListening = router.history.subscribe(() => {
    if (!isHere()) change(undefined);
  });
}

import type { ChatPictures, LightboxPicture } from './pictures.ts';

/** What the lightbox shows, and from where it was opened. */
export interface OpenLightbox {
  readonly pictures: readonly LightboxPicture[];
  readonly index: number;
  readonly opener: HTMLElement;
  /** The chat that they belong to, which may have older ones. */
  readonly chat: ChatPictures | undefined;
}

let shown: OpenLightbox | undefined;
const listeners = new Set<() => void>();

/** Opens the lightbox, or closes it. */
export function openLightbox(next: OpenLightbox | undefined): void {
  shown = next;
  for (const listener of listeners) listener();
}

export const currentLightbox = (): OpenLightbox | undefined => shown;

export function subscribeLightbox(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

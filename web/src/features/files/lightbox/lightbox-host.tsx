import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useSyncExternalStore } from 'react';
import { currentLightbox, subscribeLightbox } from './open-lightbox.ts';

/** Loaded when the first picture is opened, or earlier by `preload`. */
export const Lightbox = lazyRouteComponent(() => import('./lightbox.tsx'), 'Lightbox');

/** Shows the open lightbox over every page; what opened it may be removed meanwhile, such as a message that was scrolled away. */
export function LightboxHost() {
  const shown = useSyncExternalStore(subscribeLightbox, currentLightbox);
  if (shown === undefined) return null;
  return (
    <Suspense fallback={null}>
      <Lightbox {...shown} />
    </Suspense>
  );
}

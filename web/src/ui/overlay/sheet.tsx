import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { SheetProps } from './sheet-props.ts';

/** Fetched when a sheet is first opened, or ahead by `preload`. */
export const SheetParts = lazyRouteComponent(() => import('./sheet-parts.tsx'), 'SheetParts');

/** From below on a phone, in the middle from 900 px. A drag, Escape, a press beside it or its button closes it. */
export function Sheet(props: SheetProps) {
  const [was_open, setWasOpen] = useState(props.open);
  if (props.open && !was_open) setWasOpen(true);
  if (!was_open) return null;
  return (
    <Suspense fallback={null}>
      <SheetParts {...props} />
    </Suspense>
  );
}

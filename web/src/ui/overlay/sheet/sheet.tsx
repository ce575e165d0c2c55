import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { SheetProps } from './sheet-props.ts';

/** Loaded when the first sheet is opened, or earlier by `preload`. */
export const SheetParts = lazyRouteComponent(() => import('./sheet-parts.tsx'), 'SheetParts');

/** A bottom sheet on a phone, a centred dialog from 900 px. A drag, Escape, a press outside or its button closes it. */
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

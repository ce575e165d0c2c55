import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';

/** Loaded with the first text that has a link to something here. */
const LinkCards = lazyRouteComponent(() => import('./link-cards.tsx'), 'LinkCards');

/** The cards of what a text links to in this service, below it. */
export function CardsBelow({ text }: { text: string }) {
  if (!text.includes(location.origin)) return null;
  return (
    <Suspense fallback={null}>
      <LinkCards text={text} />
    </Suspense>
  );
}

import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useSyncExternalStore } from 'react';
import { useMe } from '../../data/queries/me-query.ts';
import { isReporting, onReporting } from './sharing-device.ts';

/** Loaded by those who share their position. */
const PositionReporter = lazyRouteComponent(() => import('./position-reporter.tsx'), 'PositionReporter');

/** Reports the position of this device while its owner shares it from here. */
export function LocationReporter() {
  const user_id = useMe()?.id;
  const is_here = useSyncExternalStore(onReporting, () => isReporting(user_id));
  return is_here ? (
    <Suspense fallback={null}>
      <PositionReporter />
    </Suspense>
  ) : null;
}

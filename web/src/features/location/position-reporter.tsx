import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { sdk } from '../../asterism.ts';
import { hasCode } from '../../ui/problems/problem.ts';
import { locationSettingsQuery, mapConfigQuery } from './location-queries.ts';
import { setReporting } from './sharing-device.ts';
import { usePosition } from './use-position.ts';

const USUAL_PAUSE_S = 5;

/** Reports the position of this device while it is rendered, no more often than the service requests. */
export function PositionReporter() {
  const config = useQuery(mapConfigQuery).data;
  // When sharing has expired, no position is needed any more.
  const settings = useQuery(locationSettingsQuery).data;
  const { coords, recorded_at } = usePosition(true);
  const sent_at_ms = useRef(0);
  const pause_ms = (config?.min_report_s ?? USUAL_PAUSE_S) * 1000;
  useEffect(() => {
    if (coords === undefined || recorded_at === undefined) return;
    const wait_ms = Math.max(0, sent_at_ms.current + pause_ms - Date.now());
    const timer = setTimeout(() => {
      sent_at_ms.current = Date.now();
      const { latitude, longitude, accuracy, heading, speed } = coords;
      const body = {
        latitude,
        longitude,
        accuracy_m: accuracy,
        heading: heading === null || Number.isNaN(heading) ? null : heading,
        speed_mps: speed,
        recorded_at,
      };
      sdk.location.reportLocation({ body }).catch((error: unknown) => {
        if (hasCode(error, 'not_sharing')) setReporting(undefined);
      });
    }, wait_ms);
    return () => clearTimeout(timer);
  }, [coords, recorded_at, pause_ms, settings?.mode]);
  return null;
}

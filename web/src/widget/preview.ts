/** The frame in the builder of widgets, where it shows settings that are not saved: it sends nothing and asks for no guest. */
import { Refused, type Host } from './host.ts';
import type { Settings } from './settings.ts';

/** The status of what a preview refuses to do. */
export const PREVIEW_STATUS = -2;

/** What the builder sends: the settings, and whether the panel is open. */
interface Shown {
  type: 'asterism:settings';
  settings: Settings;
  open: boolean;
}

/**
 * Shows whatever settings the page around the frame sends, which is a page of the service's own.
 * @param show draws the frame anew
 */
export function followPreview(show: (settings: Settings, host: Host, is_open: boolean) => void): void {
  const { parent, location } = window;
  const host: Host = {
    askToken: () => Promise.reject(new Refused(PREVIEW_STATUS)),
    place: (placement) => parent.postMessage({ type: 'asterism:place', ...placement }, location.origin),
  };
  window.addEventListener('message', ({ source, origin, data }: MessageEvent<Shown | null>) => {
    if (source !== parent || origin !== location.origin || data?.type !== 'asterism:settings') return;
    show(data.settings, host, data.open);
  });
  parent.postMessage({ type: 'asterism:ready' }, location.origin);
}

/** The frame in the builder of widgets, which shows unsaved settings: it sends nothing and requests no guest token. */
import { RefusedError, type Host } from './host.ts';
import type { Settings } from './settings.ts';

/** The status of an action that is disabled in a preview. */
export const PREVIEW_STATUS = -2;

/** What the builder sends: the settings, and whether the panel is open. */
interface Shown {
  type: 'asterism:settings';
  settings: Settings;
  open: boolean;
}

/**
 * Shows the settings that the embedding page sends, which is a page of the service itself.
 * @param show renders the frame again
 */
export function subscribeToPreview(show: (settings: Settings, host: Host, is_open: boolean) => void): void {
  const { parent, location } = window;
  const host: Host = {
    requestToken: () => Promise.reject(new RefusedError(PREVIEW_STATUS)),
    place: (placement) => parent.postMessage({ type: 'asterism:place', ...placement }, location.origin),
  };
  window.addEventListener('message', ({ source, origin, data }: MessageEvent<Shown | null>) => {
    if (source !== parent || origin !== location.origin || data?.type !== 'asterism:settings') return;
    show(data.settings, host, data.open);
  });
  parent.postMessage({ type: 'asterism:ready' }, location.origin);
}

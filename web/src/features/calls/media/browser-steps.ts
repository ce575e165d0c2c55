import type { Source } from '../state/wanted-sources.ts';
import { i18n } from '../../../i18n/i18n.ts';

const has = (word: RegExp) => word.test(navigator.userAgent);

/**
 * Chromium's name is in the user agent of every browser based on it; Safari's is in all of them, so that it is checked
 * last.
 */
function browserHere(): 'ios' | 'firefox' | 'edge' | 'chromium' | 'safari' | 'other' {
  if (has(/iPhone|iPad/)) return 'ios';
  if (has(/Firefox/)) return 'firefox';
  if (has(/Edg\//)) return 'edge';
  if (has(/Chrom(e|ium)/)) return 'chromium';
  return has(/Safari/) ? 'safari' : 'other';
}

/** How to allow a device for this page in this browser, step by step. */
export function stepsToAllow(source: Exclude<Source, 'screen'>): readonly string[] {
  const last = i18n.t('Come back to this page and press “Try again”.');
  switch (browserHere()) {
    case 'ios':
      return [
        i18n.t(
          '{source, select, camera {Open Settings, find the browser in the list of apps, and allow the camera.} other {Open Settings, find the browser in the list of apps, and allow the microphone.}}',
          { source },
        ),
        last,
      ];
    case 'firefox':
      return [
        i18n.t(
          '{source, select, camera {Press the crossed-out camera left of the address.} other {Press the crossed-out microphone left of the address.}}',
          { source },
        ),
        i18n.t('Press the × beside “Blocked”, so that you are asked again.'),
        last,
      ];
    case 'edge':
    case 'chromium':
      return [
        i18n.t('Press the icon left of the address.'),
        i18n.t(
          '{source, select, camera {Switch “Camera” on for this site.} other {Switch “Microphone” on for this site.}}',
          { source },
        ),
        last,
      ];
    case 'safari':
      return [
        i18n.t('In the menu bar choose Safari, “Settings for This Website…”.'),
        i18n.t(
          '{source, select, camera {Beside “camera” choose “Allow”.} other {Beside “microphone” choose “Allow”.}}',
          { source },
        ),
        last,
      ];
    default:
      return [
        i18n.t(
          '{source, select, camera {Open what your browser calls site settings, and allow the camera for this page.} other {Open what your browser calls site settings, and allow the microphone for this page.}}',
          { source },
        ),
        last,
      ];
  }
}

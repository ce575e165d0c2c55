import type { Source } from '../state/wanted-sources.ts';

const has = (word: RegExp) => word.test(navigator.userAgent);

/** Chromium's name stands in the agent of every browser built on it; Safari's does in all of them, so that it comes last. */
function browserHere(): 'ios' | 'firefox' | 'edge' | 'chromium' | 'safari' | 'other' {
  if (has(/iPhone|iPad/)) return 'ios';
  if (has(/Firefox/)) return 'firefox';
  if (has(/Edg\//)) return 'edge';
  if (has(/Chrom(e|ium)/)) return 'chromium';
  return has(/Safari/) ? 'safari' : 'other';
}

/** What to press in this browser so that this page may use a device, step by step. */
export function stepsToAllow(source: Exclude<Source, 'screen'>): readonly string[] {
  const last = 'Come back to this page and press “Try again”.';
  switch (browserHere()) {
    case 'ios':
      return [`Open Settings, find the browser in the list of apps, and allow the ${source}.`, last];
    case 'firefox':
      return [
        `Press the crossed-out ${source} left of the address.`,
        'Press the × beside “Blocked”, so that you are asked anew.',
        last,
      ];
    case 'edge':
    case 'chromium':
      return [
        'Press the icon left of the address.',
        `Switch “${source === 'camera' ? 'Camera' : 'Microphone'}” on for this site.`,
        last,
      ];
    case 'safari':
      return [
        'In the menu bar choose Safari, “Settings for This Website…”.',
        `Beside “${source}” choose “Allow”.`,
        last,
      ];
    default:
      return [`Open what your browser calls site settings, and allow the ${source} for this page.`, last];
  }
}

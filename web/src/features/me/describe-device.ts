import { i18n } from '../../i18n/i18n.ts';

const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/**
 * Describes a device by the User-Agent header (RFC 9110, 10.1.5) of its sign-in. A header that is not a browser's, such
 * as `curl/8.5.0`, is returned unchanged.
 */
export function describeDevice(user_agent: string): string {
  // The order of the tables matters: Edge claims to be Chrome, and Chrome to be Safari.
  const browser = BROWSERS.find(([pattern]) => pattern.test(user_agent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(user_agent))?.[1];
  if (browser === undefined) return user_agent || i18n.t('Unknown device');
  return system === undefined ? browser : i18n.t('{browser} on {system}', { browser, system });
}

import { i18n } from './i18n.ts';

/** Several files by their number. @param kind of all of them, if it is the same */
export function countFiles(count: number, kind: string | undefined): string {
  if (kind === 'image') return i18n.t('{count, plural, one {# photo} other {# photos}}', { count });
  if (kind === 'video') return i18n.t('{count, plural, one {# video} other {# videos}}', { count });
  return i18n.t('{count, plural, one {# file} other {# files}}', { count });
}

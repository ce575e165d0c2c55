import { i18n } from '../../i18n/i18n.ts';

/** What a file is called by its kind. @param kind one that is not known is a file like others */
export function nameOfFile(kind: string | undefined): string {
  if (kind === 'image') return i18n.t('Picture');
  if (kind === 'audio') return i18n.t('Sound');
  return kind === 'video' ? i18n.t('Film') : i18n.t('File');
}

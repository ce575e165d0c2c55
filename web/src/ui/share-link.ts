import { i18n } from '../i18n/i18n.ts';
import { copyText } from './overlay/copy-text.ts';

/** Opens the system's share sheet with an address, or copies it where there is none. */
export async function shareLink(url: string, title: string): Promise<void> {
  if ('share' in navigator) {
    // Closing the share sheet is a decision as well.
    await navigator.share({ url, title }).catch(() => undefined);
    return;
  }
  await copyText(url, i18n.t('Copied.'));
}

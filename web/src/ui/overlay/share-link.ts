import { i18n } from '../../i18n/i18n.ts';
import { copyText } from './copy-text.ts';

/** Opens the system's share sheet with an address, or copies it where there is none. */
export async function shareLink(url: string, title: string): Promise<void> {
  if ('share' in navigator) {
    // Closing the share sheet is a decision as well.
    await navigator.share({ url, title }).catch(() => undefined);
    return;
  }
  await copyText(url, i18n.t('Copied.'));
}

/** The public address of a tag, which can be opened without an account. */
export function addressOfTag(name: string): string {
  return new URL(`/t/${name}`, location.origin).href;
}

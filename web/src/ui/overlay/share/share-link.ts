import { i18n } from '../../../i18n/i18n.ts';
import { copyText } from '../copy-text.ts';

/** Whether the system has a share sheet. */
export const canShare = (): boolean => 'share' in navigator;

/** Opens the system's share sheet with an address, or copies it where there is none, or where it cannot be opened. */
export async function shareLink(url: string, title: string): Promise<void> {
  try {
    if (canShare()) return await navigator.share({ url, title });
  } catch (error) {
    // Closing the share sheet is a decision as well.
    if (error instanceof DOMException && error.name === 'AbortError') return;
  }
  await copyText(url, i18n.t('Link copied.'));
}

/** The public address of a tag, which can be opened without an account. */
export function addressOfTag(name: string): string {
  return new URL(`/t/${name}`, location.origin).href;
}

import { showToast } from './toast.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** Copies a text and shows a toast; if the browser forbids it, shows the text for copying by hand. */
export async function copyText(text: string, words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(words);
  } catch {
    showToast(i18n.t('Your browser doesn’t let Asterism copy. Copy this yourself: {text}', { text }));
  }
}

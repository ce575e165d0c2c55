import { showToast } from './overlay/toast.tsx';

/** Copies a text and says so; where the browser forbids it, shows it to be copied by hand. */
export async function copyText(text: string, words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(words);
  } catch {
    showToast(`Your browser does not let Asterism copy. Copy this yourself: ${text}`);
  }
}

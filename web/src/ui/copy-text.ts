import { showToast } from './overlay/toast.tsx';

/** Copies a text and says so; where the browser forbids it, says what else to do. */
export async function copyText(text: string, words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(words);
  } catch {
    showToast('Your browser does not let Asterism copy. Select the text and copy it yourself.');
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement;

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'search');

/**
 * Remembers what the fields of a layer contained before they were written in.
 * @returns whether a form of the layer has text that somebody wrote since, and `end`
 */
export function watchUnsavedText(layer: HTMLElement): { isWritten: () => boolean; end: () => void } {
  const before = new Map<Field, string>();
  const ending = new AbortController();
  const note = ({ target }: Event) => {
    if (isField(target) && target.form !== null && !before.has(target)) before.set(target, target.value);
  };
  layer.addEventListener('beforeinput', note, { capture: true, signal: ending.signal });
  return {
    isWritten: () =>
      [...before].some(([field, text]) => field.isConnected && field.value !== text && field.value.trim() !== ''),
    end: () => ending.abort(),
  };
}

/** The event of a form in a layer that its reader closes. */
export const DISMISSED = 'dismissed';

/** Notifies the forms of a layer. */
export function notifyForms(layer: HTMLElement | null): void {
  for (const form of layer?.querySelectorAll('form') ?? []) form.dispatchEvent(new Event(DISMISSED));
}

/** Focuses an element, or, if that has been removed, the page's heading. */
export function restoreFocus(element: Element | null): void {
  if (element instanceof HTMLElement && element.isConnected) element.focus();
  else document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true });
}

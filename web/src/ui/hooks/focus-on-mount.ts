/**
 * The `ref` of what has the focus as soon as it stands in the page. The attribute `autofocus` does that only while a
 * document loads (HTML, section 6.6.7).
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

/**
 * A `ref` callback that focuses an element when it is mounted. The attribute `autofocus` only does that while a
 * document loads (HTML, section 6.6.7).
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

/**
 * Lets Escape close only the open list of a select field, and not the dialog that the field is in. The browser closes
 * the list itself, after the listeners of the page.
 */
export function closeOnlyOpenLists(): void {
  if (!CSS.supports('selector(select:open)')) return;
  const stop = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && document.querySelector('select:open') !== null) event.stopImmediatePropagation();
  };
  // The dialogs listen on the document.
  addEventListener('keydown', stop, { capture: true });
}

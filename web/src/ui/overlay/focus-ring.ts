/**
 * Marks the document while the pointer is in use: when a menu or dialog that was used with it closes, its button gets
 * the focus back, and browsers would show a ring there, because it is a script that moves the focus. The next key shows
 * the ring again. In a dialog and a line of chips, what has the focus is scrolled into view as a whole.
 */
export function hideRingAfterPress(): void {
  const { dataset } = document.documentElement;
  addEventListener(
    'pointerdown',
    () => {
      dataset['pointer'] = '';
    },
    { capture: true, passive: true },
  );
  addEventListener('keydown', () => delete dataset['pointer'], { capture: true });
  // Browsers do not scroll to what has the focus while a part of it is in view. What is pressed stays under the pointer.
  addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.matches(':is(.chips, .dialog) :focus-visible'))
      target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
}

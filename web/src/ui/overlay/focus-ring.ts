/**
 * Marks the document while the pointer is in use: when a menu or dialog that was used with it closes, its button gets
 * the focus back, and browsers would show a ring there, because it is a script that moves the focus. The next key shows
 * the ring again.
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
}

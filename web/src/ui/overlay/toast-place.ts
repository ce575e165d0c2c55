/** The place of a toast: above what must not be covered while it is shown. */

/** The composer of a chat, the tabs and the main buttons of pages; and what is opened over them while a toast is shown. */
const KEPT_FREE =
  '.write, .nav, .button.primary, .button.gold, .button.danger, :is(.sheet, .dialog, .menu):not([data-leaving])';
const GAP_PX = 8;
/** The header of a page, in which a toast would cover the way back. */
const HEADER_PX = 72;

/** Moves the container of the toast up until it covers nothing of these; where there is no such place, it stays. */
function place(box: HTMLElement): void {
  box.style.removeProperty('bottom');
  const { left, right, top, bottom, height } = box.getBoundingClientRect();
  const obstacles = [...document.querySelectorAll(KEPT_FREE)]
    .filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect())
    .filter((one) => one.width > 1 && one.left < right && one.right > left)
    .sort((one, other) => other.bottom - one.bottom);
  let at = top;
  for (const one of obstacles)
    if (one.top < at + height + GAP_PX && one.bottom > at - GAP_PX) at = one.top - GAP_PX - height;
  if (at === top || at < HEADER_PX) return;
  box.style.bottom = `${Math.round(window.innerHeight - bottom + top - at)}px`;
}

/** Keeps a toast in its place while the page is scrolled or changes its size, and layers open. @returns a function that ends this */
export function avoidCovering(box: HTMLElement): () => void {
  let frame = 0;
  const again = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => place(box));
  };
  place(box);
  const layers = new MutationObserver(again);
  layers.observe(document.body, { childList: true });
  // A sheet has its place once it has risen.
  window.addEventListener('animationend', again);
  window.addEventListener('resize', again);
  window.addEventListener('scroll', again, { capture: true, passive: true });
  return () => {
    cancelAnimationFrame(frame);
    layers.disconnect();
    window.removeEventListener('animationend', again);
    window.removeEventListener('resize', again);
    window.removeEventListener('scroll', again, { capture: true });
    box.style.removeProperty('bottom');
  };
}

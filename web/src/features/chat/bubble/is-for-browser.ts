/** Whether the menu of the browser has something to offer for what is pressed: links, pictures and selected text. */
export const isForBrowser = (target: EventTarget | null): boolean =>
  getSelection()?.isCollapsed === false || (target instanceof Element && target.closest('a, img, video') !== null);

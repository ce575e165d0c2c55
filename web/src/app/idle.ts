/** The longest wait for a pause, in milliseconds. */
const WAIT_MS = 2_000;

/** Resolves at the next pause in the work of the page, so that what follows does not delay a reaction to a person. */
export const idle = (): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: WAIT_MS });
    else setTimeout(resolve, 50);
  });

/** Calls every listener. An exception of one is reported to the page's error handler and does not affect the others. */
export function notifyListeners<T>(listeners: Iterable<(value: T) => void>, value: T): void {
  for (const listener of listeners) {
    try {
      listener(value);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

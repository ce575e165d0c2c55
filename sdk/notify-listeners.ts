/** Tells every listener; what one of them throws reaches the page's error handler and none of the others. */
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

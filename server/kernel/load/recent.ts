/** Names that were recorded a moment ago. */
export type Recent = {
  record(name: string, now_ms: number): void;
  has(name: string, now_ms: number): boolean;
  /** How many different names were. */
  count(now_ms: number): number;
};

/** Creates an empty list of names, of which each is kept for a time after it was last recorded, in ms. */
export function createRecent(length_ms: number): Recent {
  /** When, the oldest first. */
  const at_ms = new Map<string, number>();
  const forgetOld = (now_ms: number) => {
    for (const [name, recorded_ms] of at_ms) {
      if (now_ms - recorded_ms < length_ms) return;
      at_ms.delete(name);
    }
  };
  return {
    record(name, now_ms) {
      forgetOld(now_ms);
      at_ms.delete(name);
      at_ms.set(name, now_ms);
    },
    has: (name, now_ms) => now_ms - (at_ms.get(name) ?? -Infinity) < length_ms,
    count(now_ms) {
      forgetOld(now_ms);
      return at_ms.size;
    },
  };
}

/** The part of the Web Locks interface that is used here (W3C Web Locks API). */
interface Locks {
  request<T>(
    name: string,
    options: { ifAvailable: true },
    run: (lock: object | null) => Promise<T> | undefined,
  ): Promise<T | undefined>;
}

/**
 * How long the lock is held after a refresh. Other tabs see a write to Web Storage some time later, in no order with
 * respect to locks: a tab that acquired the lock in between would still read the old token and use it twice, which ends
 * the session. While the lock is held, it waits instead.
 */
const HELD_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 20;

function pause(delay_ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, delay_ms);
    // In Node a held lock must not keep the process from exiting.
    if (delay_ms === HELD_AFTER_MS && typeof timer === 'object') (timer as { unref?: () => void }).unref?.();
  });
}

/** A short name for a token that does not reveal it (FNV-1a, 32 bits). */
function fingerprint(token: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < token.length; at += 1) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Runs a refresh unless another tab does. @returns false when another tab is refreshing, or has just done so */
function claim(locks: Locks, name: string, run: () => Promise<void>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const held = locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock === null) return resolve(false);
      await run();
      resolve(true);
      return pause(HELD_AFTER_MS);
    });
    held.catch(reject);
  });
}

/**
 * Ensures that a token is refreshed only once, in this page and, where Web Locks exist, in all tabs of its origin.
 * @param token the token and the service that issued it: two services may issue the same one
 * @param isRefreshed whether the store already has another token, or none
 * @param refresh what it throws is thrown here, and then the next tab may try
 */
export async function refreshOnce(
  token: string,
  isRefreshed: () => boolean,
  refresh: () => Promise<void>,
): Promise<void> {
  const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {};
  if (locks === undefined) return refresh();
  const name = `asterism.refresh.${fingerprint(token)}`;
  while (!isRefreshed()) {
    if (await claim(locks, name, refresh)) return;
    await pause(LOOK_EVERY_MS);
  }
}

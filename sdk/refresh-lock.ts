/** The part of the Web Locks interface that is used here (W3C Web Locks API). */
interface Locks {
  request<T>(
    name: string,
    options: { ifAvailable: true },
    run: (lock: object | null) => Promise<T> | undefined,
  ): Promise<T | undefined>;
}

/**
 * How long whoever has renewed a token goes on holding its lock. Web Storage reaches other tabs some time after it is
 * written, in no order with locks: a tab that took the lock in between would still find the old token and spend it twice,
 * which ends the session. While the lock is held, it waits instead.
 */
const HELD_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 20;

function pause(delay_ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, delay_ms);
    // In Node a lock that is still held keeps no program from ending.
    if (delay_ms === HELD_AFTER_MS && typeof timer === 'object') (timer as { unref?: () => void }).unref?.();
  });
}

/** A short name for a token that does not give it away (FNV-1a, 32 bits). */
function fingerprint(token: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < token.length; at += 1) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Runs what renews a token if nobody else does. @returns false when somebody else is at it, or has just done it */
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
 * Sees to it that one token is renewed once, in this page and, where Web Locks exist, in all tabs of its origin.
 * @param token the token and whose it is: two services may hand out the same
 * @param isRenewed whether the store has another token already, or none
 * @param renew renews it; what it throws is thrown here, and then the next tab may try
 */
export async function renewOnce(token: string, isRenewed: () => boolean, renew: () => Promise<void>): Promise<void> {
  const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {};
  if (locks === undefined) return renew();
  const name = `asterism.refresh.${fingerprint(token)}`;
  while (!isRenewed()) {
    if (await claim(locks, name, renew)) return;
    await pause(LOOK_EVERY_MS);
  }
}

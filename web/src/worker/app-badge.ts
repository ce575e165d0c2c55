/** The badge on the icon of the installed client (Badging API, W3C), where the system has one. */

/** The part of the Badging API that is used; without it in most browsers on desktops that have not installed the client. */
interface Badging {
  setAppBadge?(count?: number): Promise<void>;
  clearAppBadge?(): Promise<void>;
}

const badging = (): Badging => navigator;

/** Shows how much is new; none for 0. */
export function showAppBadge(count: number): void {
  const { setAppBadge, clearAppBadge } = badging();
  const change = count === 0 ? clearAppBadge?.call(navigator) : setAppBadge?.call(navigator, count);
  // A browser may refuse while the client is not installed.
  change?.catch(() => undefined);
}

/** Marks that something is new, while no page knows how much. */
export async function markAppBadge(): Promise<void> {
  await badging()
    .setAppBadge?.()
    .catch(() => undefined);
}

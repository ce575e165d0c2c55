/** How far apart the event that names a host and the mute of the media server may arrive. */
const APART_MS = 20_000;

/**
 * Combines the two signs that a host has muted the reader: the media server mutes, and the service names the host, in any
 * order. The name alone is not shown, since the reader may have been muted already.
 * @param tell called with the name of the host; without it when it is not known yet
 */
export function createMuteNotices(tell: (name: string | undefined) => void) {
  let named: { name: string; at_ms: number } | undefined;
  let unnamed_ms: number | undefined;
  const isRecent = (at_ms: number, now_ms: number) => now_ms - at_ms < APART_MS;
  return {
    onNamed(name: string, now_ms: number): void {
      if (unnamed_ms !== undefined && isRecent(unnamed_ms, now_ms)) tell(name);
      else named = { name, at_ms: now_ms };
      unnamed_ms = undefined;
    },
    onMuted(now_ms: number): void {
      const by = named !== undefined && isRecent(named.at_ms, now_ms) ? named.name : undefined;
      named = undefined;
      unnamed_ms = by === undefined ? now_ms : undefined;
      tell(by);
    },
  };
}

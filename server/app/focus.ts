/** Focus: what a user is viewing on some device, as reported by its socket, so that there is no push for it. */
import { focusKey, focusMember, viewersKey } from '../domain/notifications/push.ts';
import type { Bus } from '../engines/ports.ts';

/** How long a report of a socket is valid after its last renewal, in milliseconds. */
const focus_ttl_ms = 60_000;
/** Longer frames are not parsed. */
const max_frame = 500;

/** The focus of one realtime connection: the chat or call that its device shows, for which it receives no pushes. */
export type Focus = {
  /** Handles `{type: "focus", subject: {type, id} | null}`; anything else is ignored. */
  receive(frame: string): void;
  /** Renews the report, while the socket is alive. */
  renew(): void;
  /** Removes the report when the socket closes. */
  close(): void;
};

/** What a connection is viewing, as stored in the bus. */
type Viewing = { subject: string; is_public: boolean };

/** Subjects whose viewers get events even if they follow nothing: the page of a tag, whose room is open to all. */
const public_kinds = /^tag:/;

/** Stores the report of one connection in the bus, under a separate name. `warn` is called when the bus fails. */
export function createFocus(bus: Bus, user_id: string, connection: string, warn: (error: unknown) => void): Focus {
  const key = focusKey(user_id);
  let wanted: Viewing | undefined;
  let stored: Viewing | undefined;
  let working = false;
  const touch = async ({ subject, is_public }: Viewing) => {
    await bus.touch(key, subject + connection, focus_ttl_ms);
    if (is_public) await bus.touch(viewersKey(subject), `${user_id} ${connection}`, focus_ttl_ms);
  };
  const drop = async ({ subject, is_public }: Viewing) => {
    await bus.drop(key, subject + connection);
    if (is_public) await bus.drop(viewersKey(subject), `${user_id} ${connection}`);
  };
  // One update at a time, and only the newest pending one, so that many frames cause few updates.
  const update = async () => {
    if (working) return;
    working = true;
    try {
      while (stored !== wanted) {
        const next = wanted;
        if (stored && stored.subject !== next?.subject) await drop(stored);
        if (next) await touch(next);
        stored = next;
      }
    } finally {
      working = false;
    }
  };
  return {
    receive(frame) {
      const member = frame.length > max_frame ? undefined : readFrame(frame);
      if (member === undefined) return;
      wanted = member === null ? undefined : { subject: member, is_public: public_kinds.test(member) };
      update().catch(warn);
    },
    renew() {
      if (stored) touch(stored).catch(warn);
    },
    close() {
      wanted = undefined;
      update().catch(warn);
    },
  };
}

/** The member that a frame names; null for no subject, undefined for any other frame. */
function readFrame(frame: string): string | null | undefined {
  try {
    const { type, subject } = JSON.parse(frame) as {
      type?: unknown;
      subject?: { type?: unknown; id?: unknown } | null;
    };
    if (type !== 'focus' || subject === undefined) return undefined;
    if (subject === null) return null;
    const { type: kind, id } = subject;
    if (typeof kind !== 'string' || typeof id !== 'string') return undefined;
    return /^[a-z_]{1,32}$/.test(kind) && /^\w{1,64}$/.test(id) ? focusMember({ type: kind, id }) : undefined;
  } catch {
    return undefined;
  }
}

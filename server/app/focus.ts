/** Focus: what a user has open on some device, told by its socket, so that nobody is pushed what they see. */
import { focusKey, focusMember, viewersKey } from '../domain/notifications/push.ts';
import type { Bus } from '../engines/ports.ts';

/** How long a socket's word counts after it was last renewed, in milliseconds. */
const focus_ttl_ms = 60_000;
/** No such frame is longer; longer ones are not even read. */
const max_frame = 500;

export type Focus = {
  /** Heeds `{type: "looking", subject: {type, id} | null}`; what is anything else passes unheard. */
  hear(frame: string): void;
  /** Renews what was said, while the socket lives. */
  renew(): void;
  /** Takes it back when the socket closes. */
  close(): void;
};

/** What a connection has open, as the bus keeps it. */
type Noted = { subject: string; is_told: boolean };

/** Whoever looks at such a thing is told of it, though they follow nothing: the page of a tag, whose room is open to all. */
const told_kinds = /^tag:/;

/** Keeps what one connection says in the bus, under a name of its own. `warn` hears when the bus could not be told. */
export function createFocus(bus: Bus, user_id: string, connection: string, warn: (error: unknown) => void): Focus {
  const key = focusKey(user_id);
  let wanted: Noted | undefined;
  let noted: Noted | undefined;
  let working = false;
  const touch = async ({ subject, is_told }: Noted) => {
    await bus.touch(key, subject + connection, focus_ttl_ms);
    if (is_told) await bus.touch(viewersKey(subject), `${user_id} ${connection}`, focus_ttl_ms);
  };
  const drop = async ({ subject, is_told }: Noted) => {
    await bus.drop(key, subject + connection);
    if (is_told) await bus.drop(viewersKey(subject), `${user_id} ${connection}`);
  };
  // One change at a time, and of many only the newest: however fast a client speaks, the bus hears little.
  const note = async () => {
    if (working) return;
    working = true;
    try {
      while (noted !== wanted) {
        const next = wanted;
        if (noted && noted.subject !== next?.subject) await drop(noted);
        if (next) await touch(next);
        noted = next;
      }
    } finally {
      working = false;
    }
  };
  return {
    hear(frame) {
      const member = frame.length > max_frame ? undefined : readFrame(frame);
      if (member === undefined) return;
      wanted = member === null ? undefined : { subject: member, is_told: told_kinds.test(member) };
      note().catch(warn);
    },
    renew() {
      if (noted) touch(noted).catch(warn);
    },
    close() {
      wanted = undefined;
      note().catch(warn);
    },
  };
}

/** The member that a frame names; null for nothing, undefined when it is not such a frame. */
function readFrame(frame: string): string | null | undefined {
  try {
    const { type, subject } = JSON.parse(frame) as {
      type?: unknown;
      subject?: { type?: unknown; id?: unknown } | null;
    };
    if (type !== 'looking' || subject === undefined) return undefined;
    if (subject === null) return null;
    const { type: kind, id } = subject;
    if (typeof kind !== 'string' || typeof id !== 'string') return undefined;
    return /^[a-z_]{1,32}$/.test(kind) && /^\w{1,64}$/.test(id) ? focusMember({ type: kind, id }) : undefined;
  } catch {
    return undefined;
  }
}

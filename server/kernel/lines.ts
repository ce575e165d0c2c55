/** Lines: the realtime receivers that are connected to this node, by what they hear of. */
import type { Writable } from 'node:stream';

/** What carries frames to one receiver: a websocket or a server-sent stream. */
export type Line = {
  user_id: string;
  session_id: string;
  /** What the frames are written to, to see how much of them waits. */
  channel: Writable;
  /** Sends one event. `frame` is encoded once for all lines of a kind. */
  send(event: Frame): void;
  close(reason: 'revoked' | 'draining' | 'slow'): void;
};

/** An event as it stands on the wire; `shared` keeps what a kind of line made of it, for the other lines. */
export type Frame = { id: string; text: string; shared: Map<string, Buffer> };

/** A line that has joined. While it catches up, what happens meanwhile is held back and follows. */
export type Joined = { line: Line; topics: string[]; held: Frame[] | undefined };

export type Lines = {
  add(line: Line): Joined;
  remove(joined: Joined): void;
  /** Whether anybody hears of a topic, so that a frame is made for nobody. */
  has(topic: string): boolean;
  send(topic: string, frame: Frame): void;
  close(topic: string, reason: 'revoked' | 'draining'): void;
  closeAll(): void;
  count(): number;
};

/** Makes an empty table of lines. A line for which more than `most_held` frames are held back is cut. */
export function createLines(most_held: number): Lines {
  const by_topic = new Map<string, Set<Joined>>();
  const all = new Set<Joined>();
  return {
    add(line) {
      const joined: Joined = { line, topics: [`user:${line.user_id}`, `session:${line.session_id}`], held: [] };
      all.add(joined);
      for (const topic of joined.topics) by_topic.set(topic, (by_topic.get(topic) ?? new Set()).add(joined));
      return joined;
    },
    remove(joined) {
      all.delete(joined);
      for (const topic of joined.topics) {
        const receivers = by_topic.get(topic);
        receivers?.delete(joined);
        if (receivers?.size === 0) by_topic.delete(topic);
      }
    },
    has: (topic) => by_topic.has(topic),
    send(topic, frame) {
      for (const joined of by_topic.get(topic) ?? []) {
        if (joined.held && joined.held.length >= most_held) joined.line.close('slow');
        else if (joined.held) joined.held.push(frame);
        else joined.line.send(frame);
      }
    },
    close(topic, reason) {
      for (const { line } of by_topic.get(topic) ?? []) line.close(reason);
    },
    closeAll() {
      for (const { line } of all) line.close('draining');
    },
    count: () => all.size,
  };
}

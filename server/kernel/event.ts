/**
 * Events: notifications of a change, declared by their feature, stored in the change's transaction and delivered after
 * the commit.
 */
import type { Sql } from './database/database.ts';
import type { Static, TSchema } from './schema.ts';

export type EventType<S extends TSchema = TSchema> = {
  /** The name on the wire, `area.happened`. */
  type: string;
  summary: string;
  data: S;
};

/** Declares an event: its name and the exact schema of its data. All declared events make up the AsyncAPI document. */
export function event<S extends TSchema>(type: string, summary: string, data: S): EventType<S> {
  return { type, summary, data };
}

/** The audience of an event: a user on all devices, one session, or all followers of a tag or an account. */
export type Topic = `user:${string}` | `session:${string}` | `stream:${string}`;

/**
 * Members of an event's data that the database computes when the event is inserted, for values that only the writing
 * statement knows.
 */
export type Late = Record<string, Sql>;

/** An event to be inserted into the outbox. The members of `late` override those of `data`. */
export type Emission = { topic: Topic; type: string; data: object; late?: Late | undefined };

export type Emit = <S extends TSchema>(event: EventType<S>, topics: Topic[], data: Static<S>, late?: Late) => void;

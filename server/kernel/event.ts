/** Events: what a change tells others, declared beside the feature, stored with the change and delivered after it. */
import type { Sql } from './database/database.ts';
import type { Static, TSchema } from './schema.ts';

export type EventType<S extends TSchema = TSchema> = {
  /** The name on the wire, `area.happened`. */
  type: string;
  summary: string;
  data: S;
};

/** Declares an event: its name and the exact shape of its data. Their union is the AsyncAPI document. */
export function event<S extends TSchema>(type: string, summary: string, data: S): EventType<S> {
  return { type, summary, data };
}

/** Who hears of an event: a user on all devices, one session, or all who follow a tag or an account. */
export type Topic = `user:${string}` | `session:${string}` | `stream:${string}`;

/**
 * An event that happened, on its way into the outbox. `late` is a JSON object that the database makes when it is written: its
 * members stand in the place of those of `data`, where only the change itself tells what they are.
 */
export type Emission = { topic: Topic; type: string; data: unknown; late?: Sql | undefined };

export type Emit = <S extends TSchema>(event: EventType<S>, topics: Topic[], data: Static<S>, late?: Sql) => void;

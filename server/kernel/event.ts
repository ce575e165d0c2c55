/**
 * Events: notifications of a change, declared by their feature, stored in the change's transaction and delivered after
 * the commit.
 */
import type { Sql } from './database/database.ts';
import type { Static, TSchema } from './schema.ts';

/** @template Data what its schema describes: to compare schemas instead takes the compiler many times as long */
export type EventType<in Data = never> = {
  /** The name on the wire, `area.happened`. */
  type: string;
  summary: string;
  data: TSchema;
  /** Never set: it carries the type of the data (a phantom type). */
  phantom?: (data: Data) => void;
};

/** The data of a declared event. */
export type DataOf<E> = E extends EventType<infer Data> ? Data : never;

/** Declares an event: its name and the exact schema of its data. All declared events make up the AsyncAPI document. */
export function event<S extends TSchema>(type: string, summary: string, data: S): EventType<Static<S>> {
  return { type, summary, data };
}

/** The audience of an event: a user on all devices, one session, or all followers of a tag or an account. */
export type Topic = `user:${string}` | `session:${string}` | `stream:${string}`;

/**
 * Members of an event's data that the database computes when the event is inserted, for values that only the writing
 * statement knows.
 */
export type ComputedMembers = Record<string, Sql>;

/** An event to be inserted into the outbox. The members of `computed` override those of `data`. */
export type Emission = { topic: Topic; type: string; data: object; computed?: ComputedMembers | undefined };

/** Emits an event of a change to topics. @param computed members that the database computes */
export type Emit = <Data extends object>(
  event: EventType<Data>,
  topics: Topic[],
  data: NoInfer<Data>,
  computed?: ComputedMembers,
) => void;

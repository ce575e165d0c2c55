import type { paths } from './generated/openapi.d.ts';
import type { operations } from './generated/operations.ts';

/** The table of operations: area, then operation name. */
export type Operations = typeof operations;
/** The name of an area, for example `calls`. */
export type Area = keyof Operations;

/** One line of the generated table. */
export interface OperationEntry {
  readonly method: string;
  /** Path below the base URL, with `{name}` for each parameter. */
  readonly path: string;
  readonly kind: string;
}

type OperationOf<E> = E extends { method: infer M extends string; path: infer P extends keyof paths }
  ? Lowercase<M> extends keyof paths[P]
    ? NonNullable<paths[P][Lowercase<M>]>
    : never
  : never;

type Success = 200 | 201 | 202 | 203 | 204 | 206;
type JsonOf<R> = R extends { content: { 'application/json': infer B } } ? B : undefined;
type Part<O, K extends string> = O extends { parameters: infer P } ? (K extends keyof P ? P[K] : never) : never;
type Named<O, K extends string> = [NonNullable<Part<O, K>>] extends [never]
  ? unknown
  : undefined extends Part<O, K>
    ? { [key in K]?: NonNullable<Part<O, K>> }
    : { [key in K]: Part<O, K> };
type BodyOf<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: { 'application/json': infer J } }
    ? undefined extends B
      ? { body?: J }
      : { body: J }
    : unknown
  : unknown;
/** A file, or the JSON that names one. */
type EitherOf<E> = { file: Blob; body?: undefined } | ({ file?: undefined } & BodyOf<OperationOf<E>>);

/** What an operation takes: `path`, `query`, `body` and `file` as its contract says, and what any request takes. */
export type InputOf<E> = Named<OperationOf<E>, 'path'> &
  Named<OperationOf<E>, 'query'> &
  (E extends { kind: 'upload' }
    ? { file: Blob }
    : E extends { kind: 'either' }
      ? EitherOf<E>
      : BodyOf<OperationOf<E>>) &
  RequestExtras;

/** What any request takes beside its contract. */
export interface RequestExtras {
  signal?: AbortSignal;
  /** A key of your own, when one intention outlives one call of this client. */
  idempotency_key?: string;
}

/** The body of an operation's successful reply; undefined where it has none. */
export type ReplyOf<E> = OperationOf<E> extends { responses: infer R } ? JsonOf<R[Extract<keyof R, Success>]> : never;

/** The reply of an operation by its area and name: `Reply<'tags', 'getTag'>`. */
export type Reply<A extends Area, N extends keyof Operations[A]> = ReplyOf<Operations[A][N]>;
/** The input of an operation by its area and name. */
export type Input<A extends Area, N extends keyof Operations[A]> = InputOf<Operations[A][N]>;

/** One callable operation; the argument may be left out when everything in it may. */
export type OperationCall<E> = (
  ...input: Record<never, never> extends InputOf<E> ? [input?: InputOf<E>] : [input: InputOf<E>]
) => Promise<ReplyOf<E>>;

/** Every operation as a function, by area and name. */
export type OperationCalls = {
  readonly [A in Area]: { readonly [N in keyof Operations[A]]: OperationCall<Operations[A][N]> };
};

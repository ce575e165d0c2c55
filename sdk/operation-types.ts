import type { paths } from './generated/openapi.d.ts';
import type { operations } from './generated/operations.ts';

/** The table of operations: area, then operation name. */
export type Operations = typeof operations;
/** The name of an area, for example `calls`. */
export type Area = keyof Operations;

/** One entry of the generated table. */
export interface OperationEntry {
  readonly method: string;
  /** Path below the base URL, with `{name}` for each parameter. */
  readonly path: string;
  /** What it sends and receives, unless both are JSON. */
  readonly kind?: string;
  /** How a list is paged; absent when the reply is not a list. */
  readonly paging?: 'before_id' | 'offset';
  /** The member of an item that is sent as `before_id`, such as `group.id`; `id` by default. */
  readonly cursor?: string;
  /** Query parameters with which the list is paged by `offset`. */
  readonly offset_with?: readonly string[];
}

type OperationOf<E> = E extends { method: infer M extends string; path: infer P extends keyof paths }
  ? Lowercase<M> extends keyof paths[P]
    ? NonNullable<paths[P][Lowercase<M>]>
    : never
  : never;

type Success = 200 | 201 | 202 | 203 | 204 | 206;
type JsonOf<R> = R extends { content: { 'application/json': infer B } } ? B : undefined;
type Part<O, K extends string> = O extends { parameters: infer P } ? (K extends keyof P ? P[K] : never) : never;
/** Whether a member is optional; this test also works under `exactOptionalPropertyTypes`. */
type IsOptional<T, K> = K extends keyof T ? (Record<never, never> extends Pick<T, K> ? true : false) : true;
type Named<O, K extends string> = [NonNullable<Part<O, K>>] extends [never]
  ? unknown
  : O extends { parameters: infer P }
    ? IsOptional<P, K> extends true
      ? { [key in K]?: NonNullable<Part<O, K>> }
      : { [key in K]: Part<O, K> }
    : unknown;
type BodyOf<O> = O extends { requestBody?: infer B }
  ? [NonNullable<B>] extends [never]
    ? unknown
    : NonNullable<B> extends { content: { 'application/json': infer J } }
      ? IsOptional<O, 'requestBody'> extends true
        ? { body?: J }
        : { body: J }
      : unknown
  : unknown;
interface FileInput {
  file: Blob;
  onProgress?: (progress: UploadProgress) => void;
}

/** How much of an upload has been sent, including the multipart framing. */
export interface UploadProgress {
  readonly sent_bytes: number;
  readonly total_bytes: number;
}
/** The form fields sent with a file. */
type FieldsOf<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: { 'multipart/form-data': infer M } }
    ? [keyof Omit<M, 'file'>] extends [never]
      ? unknown
      : { body?: Omit<M, 'file'> }
    : unknown
  : unknown;
/** A file with fields, or the fields alone. */
type OptionalFileOf<E> = (FileInput & FieldsOf<OperationOf<E>>) | ({ file?: undefined } & BodyOf<OperationOf<E>>);
/** A file, or the JSON that names one. */
type EitherOf<E> = (FileInput & { body?: undefined }) | ({ file?: undefined } & BodyOf<OperationOf<E>>);

/** The input of an operation: `path`, `query`, `body` and `file` by its contract, and the options of any request. */
export type InputOf<E> = Named<OperationOf<E>, 'path'> &
  Named<OperationOf<E>, 'query'> &
  (E extends { kind: 'upload' }
    ? FileInput & FieldsOf<OperationOf<E>>
    : E extends { kind: 'optional_upload' }
      ? OptionalFileOf<E>
      : E extends { kind: 'either' }
        ? EitherOf<E>
        : BodyOf<OperationOf<E>>) &
  RequestExtras;

/** Options of any request, besides its contract. */
export interface RequestExtras {
  signal?: AbortSignal;
  /** Your own key, for a request that you may repeat in another call of this client. */
  idempotency_key?: string;
}

/** The body of an operation's successful reply; undefined when it has none. */
export type ReplyOf<E> = OperationOf<E> extends { responses: infer R } ? JsonOf<R[Extract<keyof R, Success>]> : never;

/** The reply of an operation by its area and name: `Reply<'tags', 'getTag'>`. */
export type Reply<A extends Area, N extends keyof Operations[A]> = ReplyOf<Operations[A][N]>;
/** The input of an operation by its area and name. */
export type Input<A extends Area, N extends keyof Operations[A]> = InputOf<Operations[A][N]>;

type Given<I> = Record<never, never> extends I ? [input?: I] : [input: I];
type ItemOf<R> = R extends { items: readonly (infer T)[] } ? T : never;
type Walkable<E> = E extends { paging: string }
  ? {
      /**
       * Iterates over the whole list, requesting each page only when it is needed. In time order (`before_id`) nothing
       * is skipped or repeated while rows are added. `query.limit` is the size of a page.
       */
      readonly iterate: (...input: Given<InputOf<E>>) => AsyncGenerator<ItemOf<ReplyOf<E>>, void, undefined>;
    }
  : unknown;

/** One callable operation; the argument is optional when all of its members are. A list can also be iterated. */
export type OperationCall<E> = ((...input: Given<InputOf<E>>) => Promise<ReplyOf<E>>) & Walkable<E>;

/** Every operation as a function, by area and name. */
export type OperationCalls = {
  readonly [A in Area]: { readonly [N in keyof Operations[A]]: OperationCall<Operations[A][N]> };
};

/** Endpoints: an operation is its contract, as data, and its handler. */
import type { Readable } from 'node:stream';
import type { ErrorCode } from './errors.ts';
import type { EventType } from './event.ts';
import type { Caller, Gate, Guest, Method, Origin } from './caller.ts';
import type { Content } from './content.ts';
import type { Job } from './job.ts';
import type { Static, TSchema } from './schema.ts';
import type { Change, Lifecycle, Services } from './services.ts';
import type { Queryable } from './database/database.ts';
import type { ThrottleClass } from './load/throttle.ts';

type CallerOf<G extends Gate> = G extends 'public'
  ? undefined
  : G extends 'optional'
    ? Caller | undefined
    : G extends 'guest'
      ? Caller | Guest
      : Caller;

/** The announced removal of an operation. Dates are `YYYY-MM-DD`, UTC. */
export type Deprecation = {
  /** The date from which new clients should not use it. */
  since: string;
  /** The date from which it may be removed; not before `since`. */
  sunset?: string;
  /** A page that explains what to use instead. */
  link?: string;
};

/** An uploaded file, complete and within the size limit of the contract. */
export type Upload = { bytes: Buffer; filename: string };

type BaseInput<in out G extends Gate, in out P extends TSchema, in out Q extends TSchema, in out B extends TSchema> = {
  caller: CallerOf<G>;
  origin: Origin;
  path: Static<P>;
  query: Static<Q>;
  body: Static<B>;
  file: Upload | undefined;
  now: Date;
  services: Services;
  /** Consumes one unit, or `amount`, of a budget beyond the operation's own; the answer reports the tightest budget. */
  consume(name: ThrottleClass, key: string, amount?: number): Promise<void>;
};

/** The input of a handler. The `db` of a write is its transaction; that of a read is the pool. */
export interface Input<
  in out G extends Gate,
  in out P extends TSchema,
  in out Q extends TSchema,
  in out B extends TSchema,
  in out X,
>
  extends BaseInput<G, P, Q, B>, Omit<Change, 'db' | 'now' | 'services'> {
  db: Queryable;
  prepared: X;
}

/** An answer with a status other than the first of the contract, or with additional headers. */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;
  constructor(status: number, body?: unknown, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Answers with a status of the contract other than its first. */
export function reply(status: number, body?: unknown, headers?: Record<string, string>): Reply {
  return new Reply(status, body, headers);
}

/** A value that is already JSON text, at least in parts, so that it need not be parsed and serialised again. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  /** Parsed if it is nested in another answer. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/**
 * Answers an object some members of which are already JSON text, such as large results of a decoder process.
 * @param members the other members;
 * @param texts the JSON text of each
 */
export function jsonText(status: number, members: object, texts: Record<string, string>): Reply {
  const parts = Object.entries(texts).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  const own = JSON.stringify(members).slice(1, -1);
  return new Reply(status, new JsonText(`{${[own, ...parts].filter(Boolean).join(',')}}`));
}

/** The body of an operation of kind `stream`: bytes as they arrive, or content that supports range requests. */
export type StreamReply = { stream: Readable } | { content: Content };

// The compiler would find that they are invariant by comparing what the largest schemas describe, which takes seconds.
export type Contract<
  in out G extends Gate = Gate,
  in out P extends TSchema = TSchema,
  in out Q extends TSchema = TSchema,
  in out B extends TSchema = TSchema,
  in out R extends TSchema = TSchema,
  in out X = unknown,
> = {
  /** The operation's name: file name, OpenAPI operationId and SDK function. */
  id: string;
  route: `${Method} /${string}`;
  /** What the operation does: a verb with its object. */
  summary: string;
  /** Details that the summary leaves out, in whole sentences. */
  description?: string;
  gate: G;
  path?: P;
  query?: Q;
  body?: B;
  /** Omitted where the answer has no body. */
  reply?: R;
  /** Success statuses, the usual one first. By default 200 with a reply schema and 204 without. */
  status?: [number, ...number[]];
  /** Error codes beyond those implied by gate, path, body and throttle. */
  errors?: ErrorCode[];
  throttle?: ThrottleClass;
  /** Whether `Idempotency-Key` is supported. True for every POST by default. */
  idempotent?: boolean;
  /**
   * Whether all that the handler changes, budgets aside, is in its transaction: then a new `Idempotency-Key` costs no round trip, since a
   * repeated request may run the handler and be rolled back.
   */
  is_transactional?: boolean;
  /** A bearer token that is not an access token is passed to the operation, as `origin.grant`. */
  takes_grant?: boolean;
  /**
   * The transport of bodies: JSON both ways; a multipart file with fields; a multipart file with fields, or the fields
   * alone as JSON; a file alone or JSON; or a byte stream out.
   */
  kind?: 'json' | 'upload' | 'optional_upload' | 'either' | 'stream';
  /** The maximum size of an uploaded file, in bytes. */
  max_file_bytes?: number;
  /** Set when the operation is deprecated: every answer announces it. */
  deprecated?: Deprecation;
  /** Query parameters that change a list in time order to another order, which is paged by `offset` alone. */
  offset_with?: readonly string[];
  /** Called by pages of other origins: they may read its 429 and 503, which reveal nothing. */
  cross_origin?: boolean;
  /** Its effect on the caller's session: the refresh-token cookie of a browser is set or removed accordingly. */
  session?: 'opens' | 'ends';
  /** An extension: not among the published 170 operations. */
  extension?: boolean;
  /**
   * Slow work before the transaction: hashing, image processing, requests to third parties. It must not make changes
   * that would matter if the transaction fails.
   */
  prepare?(input: BaseInput<G, P, Q, B>): Promise<X>;
  /** Removes what `prepare` has stored outside the database, when the transaction certainly did not commit. */
  discard?(prepared: X, services: Services): Promise<void>;
  run(input: Input<G, P, Q, B, X>): Promise<NoInfer<Static<R>> | Reply | JsonText | void>;
};

/** An operation with its types erased. */
export type Endpoint = Contract<Gate, TSchema, TSchema, TSchema, TSchema, unknown> & { area: string };

/** Declares an operation. Its gate is `verified` by default: closed unless opened. */
export function endpoint<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
  X,
  G extends Gate = 'verified',
>(contract: Omit<Contract<G, P, Q, B, R, X>, 'gate'> & { gate?: G }): Contract<G, P, Q, B, R, X> {
  return { ...contract, gate: contract.gate ?? ('verified' as G) };
}

/** An area: its operations, jobs, events and lifecycle. */
export type Feature = {
  area: string;
  title: string;
  endpoints: Endpoint[];
  events?: EventType[];
  jobs?: Job<never>[];
  lifecycle?: Lifecycle;
};

/* oxlint-disable typescript/no-explicit-any -- contracts of all shapes are in one list */
type AnyContract = Contract<any, any, any, any, any, any>;
/* oxlint-enable typescript/no-explicit-any */

/** Declares an area. */
export function feature(definition: Omit<Feature, 'endpoints'> & { endpoints: AnyContract[] }): Feature {
  return { ...definition, endpoints: definition.endpoints.map((one) => ({ ...one, area: definition.area })) };
}

/** Method and path of a contract. */
export function routeOf(contract: { route: string }): { method: Method; path: string } {
  const [method, path] = contract.route.split(' ') as [Method, string];
  return { method, path };
}

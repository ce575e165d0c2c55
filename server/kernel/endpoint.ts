/** Endpoints: one operation is its contract as data and the rule itself. */
import type { Readable } from 'node:stream';
import type { ErrorCode } from './errors.ts';
import type { EventType } from './event.ts';
import type { Caller, Gate, Guest, Method, Origin } from './caller.ts';
import type { Content } from './http/http-content.ts';
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

/** That an operation is to go. Dates are `YYYY-MM-DD`, UTC. */
export type Deprecation = {
  /** From when on nobody should begin to use it. */
  since: string;
  /** From when on it may be gone; not before `since`. */
  sunset?: string;
  /** A page that says what to use instead. */
  link?: string;
};

/** A file that was uploaded, whole, within the contract's size. */
export type Upload = { bytes: Buffer; filename: string };

type Given<G extends Gate, P extends TSchema, Q extends TSchema, B extends TSchema> = {
  caller: CallerOf<G>;
  origin: Origin;
  path: Static<P>;
  query: Static<Q>;
  body: Static<B>;
  file: Upload | undefined;
  now: Date;
  services: Services;
  /** Uses one of a budget beyond the operation's own, or another amount; the answer tells of the tightest. */
  take(name: ThrottleClass, key: string, amount?: number): Promise<void>;
};

/** What a handler gets. A write's `db` is its transaction; a read's is the pool. */
export type Input<G extends Gate, P extends TSchema, Q extends TSchema, B extends TSchema, X> = Given<G, P, Q, B> &
  Omit<Change, 'db' | 'now'> & { db: Queryable; prepared: X };

/** An answer with another status than the contract's first, or with headers of its own. */
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

/** Answers with a status of the contract that is not its first. */
export function reply(status: number, body?: unknown, headers?: Record<string, string>): Reply {
  return new Reply(status, body, headers);
}

/** What is JSON text already, at least in parts, so that it need not be read and written once more. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  /** Inside of another answer it is read after all. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/**
 * Answers an object, some members of which are JSON text already: what another process has made, and is large.
 * @param members the others; @param texts the text of each
 */
export function jsonText(status: number, members: object, texts: Record<string, string>): Reply {
  const parts = Object.entries(texts).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  const own = JSON.stringify(members).slice(1, -1);
  return new Reply(status, new JsonText(`{${[own, ...parts].filter(Boolean).join(',')}}`));
}

/** The body of an operation of kind `stream`: bytes as they come, or content of which a client may ask for a part. */
export type StreamReply = { stream: Readable } | { content: Content };

export type Contract<
  G extends Gate = Gate,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  X = unknown,
> = {
  /** The operation's name: file, OpenAPI operationId and SDK function. */
  id: string;
  route: `${Method} /${string}`;
  /** What the operation does, as a verb with its object. */
  summary: string;
  /** What the summary leaves out, in whole sentences. */
  description?: string;
  gate: G;
  path?: P;
  query?: Q;
  body?: B;
  /** Left out where the answer has no body. */
  reply?: R;
  /** Statuses of success, the usual one first. 200 with a reply and 204 without unless told. */
  status?: [number, ...number[]];
  /** Codes beyond those that follow from gate, path, body and throttle. */
  errors?: ErrorCode[];
  throttle?: ThrottleClass;
  /** Whether `Idempotency-Key` is heeded. Every POST does unless it says false. */
  idempotent?: boolean;
  /** A bearer that is no access token is left to the operation, as `origin.grant`. */
  takes_grant?: boolean;
  /** How bodies travel: JSON both ways, a multipart file in with fields beside it, the same or the fields alone as JSON, a
   * file alone or JSON, or bytes out. */
  kind?: 'json' | 'upload' | 'optional_upload' | 'either' | 'stream';
  /** The largest file of an upload, in bytes. */
  max_file_bytes?: number;
  /** Set when the operation is to go: every answer of it says so. */
  deprecated?: Deprecation;
  /** Query parameters with which a list in time order has another order, and is paged by `offset` alone. */
  offset_with?: readonly string[];
  /** What it does to the caller's session: a browser's refresh token is a cookie, which is set or removed with it. */
  session?: 'opens' | 'ends';
  /** Not among the published 170 operations. */
  extension?: boolean;
  /** Slow work before the transaction: hashing, pictures, reading a third party. It must not change anything that would be missed. */
  prepare?(input: Given<G, P, Q, B>): Promise<X>;
  /** Takes back what `prepare` has stored outside of the database, when the change surely did not come about. */
  discard?(prepared: X, services: Services): Promise<void>;
  run(input: Input<G, P, Q, B, X>): Promise<Static<R> | Reply | JsonText | void>;
};

/** An operation among others, its types forgotten. */
export type Endpoint = Contract<Gate, TSchema, TSchema, TSchema, TSchema, unknown> & { area: string };

/** Declares an operation. Its gate is `verified` unless it says otherwise: closed by default. */
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

/** An area: its operations, and what else it brings. */
export type Feature = {
  area: string;
  title: string;
  endpoints: Endpoint[];
  events?: EventType[];
  jobs?: Job<never>[];
  lifecycle?: Lifecycle;
};

/* oxlint-disable typescript/no-explicit-any -- contracts of all shapes stand side by side here */
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

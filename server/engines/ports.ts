/**
 * The ports: what the service needs from outside its process, as types only.
 * Each has an embedded default and a production adapter; suites that both pass stand in `server/testing/contracts`.
 */
import type { Readable } from 'node:stream';
import type { CarrierRequest, Media, Telephony } from './ports.calls.ts';
import type { Payment } from './ports.payment.ts';
import type { Recorder } from './ports.recording.ts';

export type * from './ports.calls.ts';
export type * from './ports.payment.ts';
export type * from './ports.recording.ts';

/** Where PostgreSQL answers, and how to let go of it. */
export type Database = {
  /** A connection string that `pg` takes; a unix socket stands in its `host` parameter. */
  url: string;
  kind: 'embedded' | 'server';
  /** Stops an embedded server; leaves any other alone. */
  close(): Promise<void>;
};

/** Messages between nodes, shared counters and presence. */
export type Bus = {
  /** False while the link that carries messages between nodes is down: caches fed by it are then not to be trusted. */
  isConnected(): boolean;
  /** Sends to every node, this one included. Delivery is at most once; what must not be lost stands in the database. */
  publish(channel: string, message: string): Promise<void>;
  /** Calls the listener for each message, in the order of one publisher. Resolves once subscribed, to a way to stop. */
  subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>>;
  /**
   * Adds to a counter that disappears `ttl_ms` after its first increment: one, unless told. Answers its new value, at once
   * where it is kept in this process. @throws when the store is down
   */
  increment(key: string, ttl_ms: number, amount?: number): number | Promise<number>;
  /** Says that `member` is present under `key` for the next `ttl_ms`. */
  touch(key: string, member: string, ttl_ms: number): Promise<void>;
  /** Takes a member away before its time. */
  drop(key: string, member: string): Promise<void>;
  /** Who is present under `key` now, in no order. */
  members(key: string): Promise<string[]>;
  close(): Promise<void>;
};

/** A part of a stored file, in bytes, both ends included (RFC 9110, section 14). */
export type ByteRange = { first: number; last: number };

/** Files by key. Keys are made by the service, of `a-z 0-9 _ - . /`, never by a user. */
export type Blobs = {
  /** Stores all of it or nothing; an existing key is replaced. */
  put(key: string, body: Readable | Uint8Array, options: { content_type: string }): Promise<void>;
  /** Undefined when the key holds nothing. */
  get(key: string, range?: ByteRange): Promise<{ body: Readable; size_bytes: number } | undefined>;
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>;
  /** All keys under a prefix, in order, for backup and collection. */
  list(prefix: string): AsyncIterable<string>;
  close(): Promise<void>;
};

/** What a film shows: one picture of it as PNG, upright, and what it says of itself. */
export type FilmFacts = { poster: Uint8Array; width: number; height: number; duration_s?: number };

/** What to make one file of: tracks in Ogg Opus, each beginning at its time, and the chapters of the whole. */
export type Mixture = {
  tracks: { path: string; starts_ms: number }[];
  /** In order of time. */
  chapters: { from_ms: number; title: string }[];
  duration_ms: number;
  /** Where the file goes, as Ogg Opus with `CHAPTERxxx` comments; an existing one is replaced. */
  into: string;
};

/** Where a file of pictures is seen in a film, in pixels; it fills as much of the box as its shape lets it. */
export type Tile = {
  /** VP8 in IVF. */
  path: string;
  /** When the file begins, in ms from the film's beginning. */
  starts_ms: number;
  x: number;
  y: number;
  width: number;
  height: number;
};

/** A part of a film in which the same files are seen in the same places. */
export type Scene = { from_ms: number; to_ms: number; tiles: Tile[] };

/** What to make a film of: what a mixture has, and pictures to it. Without tracks it is silent. */
export type Film = Mixture & {
  /** One after the other, from the beginning to the end; times are multiples of `frame_ms`. */
  scenes: Scene[];
  width: number;
  height: number;
  frame_ms: number;
};

/**
 * Reads sound and video that needs a decoder from outside. All answer nothing for what cannot be read, and all but `mix`
 * where no decoder is installed.
 */
export type Transcoder = {
  /** A picture from near the beginning of a film. */
  watch(bytes: Uint8Array, content_type: string): Promise<FilmFacts | undefined>;
  /** Hears a file as mono samples from -1 to 1, so many a second (8,000 unless told); answers whether it could be read. */
  listen(
    bytes: Uint8Array,
    content_type: string,
    hear: (samples: Float32Array, sample_rate: number) => void,
    sample_rate?: number,
  ): Promise<boolean>;
  /** Mixes tracks into one file, each as loud as it is. Undefined when that is not to be had: then the tracks stay what there is. */
  mix(mixture: Mixture): Promise<{ size_bytes: number } | undefined>;
  /** Makes a film: H.264 and AAC in MP4, with chapters. Undefined when that is not to be had. One is made at a time. */
  film(film: Film): Promise<{ size_bytes: number; poster: Uint8Array } | undefined>;
};

/** What helps an engine with speech that somebody waits for; engines use what they can. */
export type SpeechHints = {
  /** Words and phrases that are likely. */
  phrases: readonly string[];
  /** After this long nobody waits any more; it does not stand behind what nobody waits for. */
  timeout_ms: number;
};

/** What was said, as text. */
export type Speech = {
  /** Undefined where there is no engine, or nothing can be made out. Rejects when another try makes sense. */
  transcribe(
    bytes: Uint8Array,
    content_type: string,
    hints?: SpeechHints,
  ): Promise<{ text: string; confidence?: number } | undefined>;
  /** Set where there is no engine, so that whoever waits for words can be told. */
  readonly is_absent?: true;
  close(): Promise<void>;
};

/** A letter that leaves. `code` and `links` repeat what the text holds, for the console only. */
export type Letter = { id: string; to: string; subject: string; text: string; links: string[]; code?: string };
export type Mail = { send(letter: Letter): Promise<void>; close(): Promise<void> };

/** A short message to a phone, `to` in E.164. `id` lets a provider drop a repeat. */
export type ShortMessage = { id: string; to: string; text: string; links: string[]; code?: string };
/** A text that somebody sent to a number of the service. `id` is the provider's, the same when it is told again. */
export type IncomingText = { id: string; from: string; text: string };
export type Sms = {
  send(message: ShortMessage): Promise<void>;
  /**
   * Reads a webhook of the provider; undefined when it is not the provider's. Absent where no provider sends any.
   * `text` is undefined for what holds no text that can be answered.
   */
  receive?(request: CarrierRequest):
    | {
        text: IncomingText | undefined;
        answer: { content_type: string; body: string };
      }
    | undefined;
  close(): Promise<void>;
};

export type PushPlatform = 'ios' | 'android' | 'web';

/**
 * A device, as its push service knows it. A web subscription is what a browser gives (Push API, W3C); `voip_token` is of
 * Apple's PushKit, which makes a phone ring as for a call.
 */
export type PushTarget =
  | { platform: 'ios' | 'android'; token: string; voip_token?: string }
  | { platform: 'web'; subscription: { endpoint: string; keys: { p256dh: string; auth: string } } };

/** What a device is told. Without title and text it says only that something happened. */
export type PushMessage = {
  id: string;
  /** Who it is for, by a name that people know; for the console only. */
  to: string;
  /** A later message of the same topic replaces this one: at most 32 characters of base64url. */
  topic: string;
  title?: string;
  text?: string;
  /** What the app needs to open the thing. */
  data: Record<string, string>;
  /** Wakes a device that saves power, and is worth nothing when it comes late. */
  urgent: boolean;
  /** Changes what the device shows, without a sound. */
  quiet?: boolean;
  /** How long a push service keeps it for a device that is away, in seconds. */
  ttl_s: number;
};

/** One push service. `send` resolves to `gone` when the device is no more, and rejects when another try makes sense. */
export type PushService = {
  send(target: PushTarget, message: PushMessage): Promise<'sent' | 'gone'>;
  close(): Promise<void>;
};

/** The push services of all platforms that are served. */
export type Push = PushService & {
  platforms: readonly PushPlatform[];
  /** The key with which a browser subscribes (RFC 8292), where web is served. */
  vapid_public_key: string | undefined;
  /** Whether the endpoint of a web subscription is one that may be asked. */
  isAllowed(endpoint: string): boolean;
};

/** What a simulator caught, as the console shows it. */
export type Caught = {
  id: string;
  channel: 'sms' | 'email' | 'push' | 'call';
  to: string;
  subject?: string;
  text: string;
  links: string[];
  code?: string;
  at: string;
};

/** Where simulators put what they were asked to send. Newest first; the oldest fall out. */
export type OutboxSink = {
  add(caught: Omit<Caught, 'at'>): void;
  list(filter: { to?: string; channel?: string; limit: number; offset: number }): {
    items: Caught[];
    has_more: boolean;
  };
};

/** What a span tells of its work, by the names of OpenTelemetry's semantic conventions. */
export type SpanAttributes = Record<string, string | number>;

/** One piece of work in a trace. */
export type Span = {
  /** 32 hexadecimal digits, the same for all that follows from one request. */
  trace_id: string;
  set(attributes: SpanAttributes): void;
  /** Ends it; with `error_type`, as failed. The text of an error stays here, since it may tell of people. */
  end(error_type?: string): void;
};

/** Where traces go. */
export type Tracing = {
  /**
   * Begins a span: in the trace of `remote` (the fields of W3C Trace Context) where those are valid, else below the
   * current span, else as the root of a new trace.
   */
  start(
    name: string,
    kind: 'server' | 'client' | 'consumer',
    attributes: SpanAttributes,
    remote?: { traceparent: string; tracestate: string | undefined },
  ): Span;
  /** Runs work, and all that it waits for, with this as the current span. */
  within<T>(span: Span, work: () => T): T;
  /** The span in which this runs. */
  current(): Span | undefined;
  /** Sends what is left, for three seconds at the most. */
  close(): Promise<void>;
};

/** All engines of one service. */
export type Engines = {
  database: Database;
  bus: Bus;
  blobs: Blobs;
  mail: Mail;
  sms: Sms;
  push: Push;
  media: Media;
  telephony: Telephony;
  payment: Payment;
  speech: Speech;
  recorder: Recorder;
  transcoder: Transcoder;
  /** What the simulators caught, where there is a console. */
  outbox_sink: OutboxSink;
};

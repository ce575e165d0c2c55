/**
 * The ports: what the service needs from outside its process, as types only. Each has an embedded default and a
 * production adapter; the contract suites for both are in `server/testing/contracts`.
 */
import type { Readable } from 'node:stream';
import type { CarrierRequest, Media, Telephony } from './ports.calls.ts';
import type { Payment } from './ports.payment.ts';
import type { Recorder } from './ports.recording.ts';

export type * from './ports.calls.ts';
export type * from './ports.payment.ts';
export type * from './ports.recording.ts';

/** The PostgreSQL connection. */
export type Database = {
  /** A connection string for `pg`; a unix socket is in its `host` parameter. */
  url: string;
  kind: 'embedded' | 'server';
  /** Stops an embedded server; leaves any other running. */
  close(): Promise<void>;
};

/** Messages between nodes, shared counters and presence. */
export type Bus = {
  /** False while messages between nodes are interrupted: caches invalidated by them must then not be used. */
  isConnected(): boolean;
  /** Sends to every node, this one included. Delivery is at most once; what must not be lost is in the database. */
  publish(channel: string, message: string): Promise<void>;
  /**
   * Calls the listener for each message, in the order of each publisher. Resolves once subscribed, to an unsubscribe
   * function.
   */
  subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>>;
  /**
   * Adds to a counter that expires `ttl_ms` after its first increment: 1 by default. Returns its new value,
   * synchronously if it is kept in this process.
   * @throws when the store is down
   */
  increment(key: string, ttl_ms: number, amount?: number): number | Promise<number>;
  /** Marks `member` as present under `key` for the next `ttl_ms`. */
  touch(key: string, member: string, ttl_ms: number): Promise<void>;
  /** Removes a member before it expires. */
  drop(key: string, member: string): Promise<void>;
  /** The members present under `key` now, in no order. */
  members(key: string): Promise<string[]>;
  close(): Promise<void>;
};

/** A part of a stored file, in bytes, both ends included (RFC 9110, section 14). */
export type ByteRange = { first: number; last: number };

/** Files by key. Keys are made by the service, of `a-z 0-9 _ - . /`, never by a user. */
export type Blobs = {
  /** Stores all of it or nothing; an existing key is replaced. */
  put(key: string, body: Readable | Uint8Array, options: { content_type: string }): Promise<void>;
  /** Undefined when the key does not exist. */
  get(key: string, range?: ByteRange): Promise<{ body: Readable; size_bytes: number } | undefined>;
  /** Removing an absent key is no error. */
  remove(key: string): Promise<void>;
  /** All keys with a prefix, in order, for backup and garbage collection. */
  list(prefix: string): AsyncIterable<string>;
  close(): Promise<void>;
};

/** Facts about a video: a poster as PNG, upright, and its metadata. */
export type VideoFacts = { poster: Uint8Array; width: number; height: number; duration_s?: number };

/** The input of a mix: Ogg Opus tracks with their start times, and chapters. */
export type Mixture = {
  tracks: { path: string; starts_ms: number }[];
  /** In order of time. */
  chapters: { from_ms: number; title: string }[];
  duration_ms: number;
  /** The output file, as Ogg Opus with `CHAPTERxxx` comments; an existing one is replaced. */
  into: string;
};

/** Where a video file is shown in the composition, in pixels; it fills the box as far as its aspect ratio allows. */
export type Tile = {
  /** VP8 in IVF. */
  path: string;
  /** The start of the file, in ms from the start of the composition. */
  starts_ms: number;
  x: number;
  y: number;
  width: number;
  height: number;
};

/** A part of the composition with a constant layout. */
export type Scene = { from_ms: number; to_ms: number; tiles: Tile[] };

/** The input of a video composition: that of a mix, and pictures. Without tracks it is silent. */
export type VideoComposition = Mixture & {
  /** Contiguous, from start to end; times are multiples of `frame_ms`. */
  scenes: Scene[];
  width: number;
  height: number;
  frame_ms: number;
};

/**
 * Reads audio and video that needs an external decoder. All return nothing for unreadable input, and all but `mix` do
 * where no decoder is installed.
 */
export type Transcoder = {
  /** A picture from near the beginning of a video. */
  watch(bytes: Uint8Array, content_type: string): Promise<VideoFacts | undefined>;
  /**
   * Decodes a file to mono samples from -1 to 1, at the given rate (8,000 by default); returns whether it was readable.
   */
  listen(
    bytes: Uint8Array,
    content_type: string,
    hear: (samples: Float32Array, sample_rate: number) => void,
    sample_rate?: number,
  ): Promise<boolean>;
  /** Mixes tracks into one file, keeping their levels. Undefined on failure: then the separate tracks are kept. */
  mix(mixture: Mixture): Promise<{ size_bytes: number } | undefined>;
  /** Composes a video: H.264 and AAC in MP4, with chapters. Undefined on failure. One runs at a time. */
  composeVideo(composition: VideoComposition): Promise<{ size_bytes: number; poster: Uint8Array } | undefined>;
};

/** Hints for speech that somebody waits for; engines use those that they support. */
export type SpeechHints = {
  /** Likely words and phrases. */
  phrases: readonly string[];
  /** The time limit of somebody who waits; such speech is not queued behind speech that nobody waits for. */
  timeout_ms: number;
};

/** Speech recognition. */
export type Speech = {
  /** Undefined without an engine, or when nothing is recognised. Rejects when a retry makes sense. */
  transcribe(
    bytes: Uint8Array,
    content_type: string,
    hints?: SpeechHints,
  ): Promise<{ text: string; confidence?: number } | undefined>;
  /** Set without an engine, so that clients can be told. */
  readonly is_absent?: true;
  close(): Promise<void>;
};

/** An outgoing e-mail. `code` and `links` repeat parts of the text, for the console only. */
export type Letter = { id: string; to: string; subject: string; text: string; links: string[]; code?: string };
export type Mail = { send(letter: Letter): Promise<void>; close(): Promise<void> };

/** An outgoing SMS, `to` in E.164. `id` lets a provider drop a duplicate. */
export type ShortMessage = { id: string; to: string; text: string; links: string[]; code?: string };
/** An SMS sent to a number of the service. `id` is the provider's, the same for repeated reports. */
export type IncomingText = { id: string; from: string; text: string };
export type Sms = {
  send(message: ShortMessage): Promise<void>;
  /**
   * Reads a webhook of the provider; undefined when it is not authentic. Absent where no provider sends any. `text` is
   * undefined for messages without text, or that cannot be answered.
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
 * A device as its push service identifies it. A web subscription comes from a browser (Push API, W3C); `voip_token` is
 * of Apple's PushKit, which makes a phone ring as for a call.
 */
export type PushTarget =
  | { platform: 'ios' | 'android'; token: string; voip_token?: string }
  | { platform: 'web'; subscription: { endpoint: string; keys: { p256dh: string; auth: string } } };

/** The content of a push. Without title and text it only says that something happened. */
export type PushMessage = {
  id: string;
  /** The recipient by a readable name; for the console only. */
  to: string;
  /** A later message with the same topic replaces this one: at most 32 characters of base64url. */
  topic: string;
  title?: string;
  text?: string;
  /** Data that the app needs to open the subject. */
  data: Record<string, string>;
  /** Wakes a device in power saving mode, and is useless when late. */
  urgent: boolean;
  /** Updates what the device shows, without a sound. */
  quiet?: boolean;
  /** How long a push service keeps it for an offline device, in seconds. */
  ttl_s: number;
};

/**
 * One push service. `send` resolves to `gone` when the device no longer exists, and rejects when a retry makes sense.
 */
export type PushService = {
  send(target: PushTarget, message: PushMessage): Promise<'sent' | 'gone'>;
  close(): Promise<void>;
};

/** The push services of all supported platforms. */
export type Push = PushService & {
  platforms: readonly PushPlatform[];
  /** The key for browser subscriptions (RFC 8292), where web is supported. */
  vapid_public_key: string | undefined;
  /** Whether the endpoint of a web subscription may be requested. */
  isAllowed(endpoint: string): boolean;
};

/** A message caught by a simulator, as shown in the console. */
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

/** Stores what simulators were asked to send. Newest first; the oldest are evicted. */
export type OutboxSink = {
  add(caught: Omit<Caught, 'at'>): void;
  list(filter: { to?: string; channel?: string; limit: number; offset: number }): {
    items: Caught[];
    has_more: boolean;
  };
};

/** Attributes of a span, named by OpenTelemetry's semantic conventions. */
export type SpanAttributes = Record<string, string | number>;

/** One span of a trace. */
export type Span = {
  /** The trace id: 32 hexadecimal digits, the same for everything that follows from one request. */
  trace_id: string;
  set(attributes: SpanAttributes): void;
  /** Ends it; with `error_type`, as failed. The error message is not recorded, since it may contain personal data. */
  end(error_type?: string): void;
};

/** The trace exporter. */
export type Tracing = {
  /**
   * Starts a span: in the trace of `remote` (the fields of W3C Trace Context) if valid, else below the current span,
   * else as the root of a new trace.
   */
  start(
    name: string,
    kind: 'server' | 'client' | 'consumer',
    attributes: SpanAttributes,
    remote?: { traceparent: string; tracestate: string | undefined },
  ): Span;
  /** Runs work, including everything that it awaits, with this as the current span. */
  within<T>(span: Span, work: () => T): T;
  /** The current span. */
  current(): Span | undefined;
  /** Sends the remaining spans, within three seconds. */
  close(): Promise<void>;
};

/** All engines of a service. */
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
  /** Messages caught by the simulators, where the console is enabled. */
  outbox_sink: OutboxSink;
};

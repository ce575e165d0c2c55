/** The outbox of unsent messages. It is stored in the browser, and sent as soon as there is a connection. */
import { ApiError } from '@asterism/sdk';
import type { Input, MediaFile } from '@asterism/sdk';
import { isPassing } from '../../data/cache.ts';
import { newKey } from '../../data/new-key.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { LostFile } from '../files/local-file.ts';
import type { LocalFile } from '../files/local-file.ts';
import { nameOfPlace } from './chat-place.ts';
import type { ChatPlace } from './chat-place.ts';

/** A message of another chat, or one of its files. */
export type ForwardedFrom = NonNullable<NonNullable<Input<'chats', 'postGroupChat'>['body']>['forward']>;

/** An unsent message. */
export interface Unsent {
  /** The idempotency key. */
  readonly key: string;
  readonly place: ChatPlace;
  readonly body: string;
  readonly media: readonly MediaFile[];
  /** Files that follow `media` and are not uploaded yet. */
  readonly files?: readonly LocalFile[];
  readonly reply_to?: string;
  /** The forwarded message; text and files are included for display. */
  readonly forward?: ForwardedFrom;
  readonly written_at: string;
  /** Queued messages are sent automatically; refused ones require a decision of their author. */
  readonly state: 'sending' | 'waiting' | 'refused';
  readonly problem?: string;
}

/** Sends a message to the service, and adds the result to its chat. */
export type Deliver = (unsent: Unsent) => Promise<void>;

/** Forgets the files of messages that were sent or discarded. */
export type Release = (files: readonly LocalFile[]) => void;

/** Where the unsent messages of one account are stored, for the next page. */
export interface UnsentStore {
  readonly read: () => unknown;
  /** Stores them, or deletes what is stored when there are none. */
  readonly write: (all: readonly Unsent[] | undefined) => void;
  /** Subscribes to changes by other windows. @returns a function that unsubscribes */
  readonly onChange: (listener: () => void) => () => void;
}

const FIRST_PAUSE_MS = 4_000;
const MAX_PAUSE_MS = 60_000;

/** The unsent messages of one account in this window. */
export class Outbox {
  #all: readonly Unsent[];
  readonly #store: UnsentStore;
  readonly #deliver: Deliver;
  readonly #release: Release;
  readonly #listeners = new Set<() => void>();
  readonly #busy = new Set<string>();
  readonly #stopListening: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pause_ms = FIRST_PAUSE_MS;
  #is_closed = false;

  constructor(store: UnsentStore, deliver: Deliver, release: Release = () => undefined) {
    this.#store = store;
    this.#deliver = deliver;
    this.#release = release;
    this.#all = this.#read();
    this.#stopListening = store.onChange(() => {
      // Messages that this window is sending keep their state, even if another window has changed the stored ones meanwhile.
      this.#all = this.#read().map((one) => this.#all.find(({ key }) => key === one.key) ?? one);
      this.#tell();
    });
  }

  #read(): readonly Unsent[] {
    const kept = this.#store.read();
    if (!Array.isArray(kept)) return [];
    return (kept as Unsent[]).map((one) => (one.state === 'sending' ? { ...one, state: 'waiting' } : one));
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #set(all: readonly Unsent[]): void {
    this.#all = all;
    this.#store.write(all.length === 0 ? undefined : all);
    this.#tell();
  }

  #change(key: string, part: Partial<Unsent>): void {
    this.#set(this.#all.map((one) => (one.key === key ? { ...one, ...part } : one)));
  }

  /** All unsent messages, in order. */
  get all(): readonly Unsent[] {
    return this.#all;
  }

  /** Subscribes to changes. @returns a function that unsubscribes */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Queues a message, and sends it after earlier ones to the same chat. */
  add(place: ChatPlace, words: Pick<Unsent, 'body' | 'media' | 'files' | 'reply_to' | 'forward'>): void {
    const one: Unsent = { ...words, place, key: newKey(), written_at: new Date().toISOString(), state: 'sending' };
    this.#set([...this.#all, one]);
    void this.#send(nameOfPlace(place));
  }

  /** Retries a refused message. */
  again(key: string): void {
    const one = this.#all.find((other) => other.key === key);
    if (one === undefined) return;
    const { problem: _, ...rest } = one;
    this.#set(this.#all.map((other) => (other.key === key ? { ...rest, state: 'sending' } : other)));
    void this.#send(nameOfPlace(one.place));
  }

  /** Discards a message. */
  drop(key: string): void {
    this.#release(this.#all.find((one) => one.key === key)?.files ?? []);
    this.#set(this.#all.filter((one) => one.key !== key));
  }

  /** Sends all queued messages: the connection is back. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const name of new Set(this.#all.map(({ place }) => nameOfPlace(place)))) void this.#send(name);
  }

  /**
   * Stops sending: its owner has signed out, and the next request may belong to another account. A message that is being
   * sent is only removed once it has arrived; nothing is stored again that was deleted at the sign-out.
   */
  close(): void {
    this.#is_closed = true;
    clearTimeout(this.#timer);
    this.#stopListening();
    this.#listeners.clear();
  }

  async #send(name: string): Promise<void> {
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    const next = () =>
      this.#is_closed ? undefined : this.#all.find((one) => nameOfPlace(one.place) === name && one.state !== 'refused');
    for (let one = next(); one !== undefined; one = next()) if (!(await this.#try(one))) break;
    this.#busy.delete(name);
  }

  /** Whether the next one may follow. */
  async #try(one: Unsent): Promise<boolean> {
    if (one.state !== 'sending') this.#change(one.key, { state: 'sending' });
    try {
      await this.#deliver(one);
      if (this.#is_closed) return this.#forget(one.key);
      this.#pause_ms = FIRST_PAUSE_MS;
      this.drop(one.key);
      return true;
    } catch (error) {
      if (this.#is_closed) return false;
      if (isPassing(error) && !(error instanceof LostFile)) {
        this.#wait(nameOfPlace(one.place));
        this.#later();
        return false;
      }
      // An author who has left the call no longer sees its chat, and could not discard the message anywhere.
      if (one.place.kind === 'call' && error instanceof ApiError && [404, 409].includes(error.status)) {
        this.drop(one.key);
        return true;
      }
      // A refused request would be refused again under its key.
      this.#change(one.key, {
        key: newKey(),
        state: 'refused',
        problem: error instanceof LostFile ? error.message : describeProblem(error),
      });
      return true;
    }
  }

  /** Marks the messages to a chat as waiting: later ones wait for the first. */
  #wait(name: string): void {
    const isSent = (one: Unsent) => nameOfPlace(one.place) === name && one.state === 'sending';
    this.#set(this.#all.map((one) => (isSent(one) ? { ...one, state: 'waiting' } : one)));
  }

  /** Removes a message that has arrived from what is stored, which the next outbox of the account reads. */
  #forget(key: string): boolean {
    const left = this.#read().filter((one) => one.key !== key);
    this.#release(this.#read().find((one) => one.key === key)?.files ?? []);
    this.#store.write(left.length === 0 ? undefined : left);
    return false;
  }

  #later(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.flush(), this.#pause_ms);
    this.#pause_ms = Math.min(this.#pause_ms * 2, MAX_PAUSE_MS);
  }
}

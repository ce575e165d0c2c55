/** The outbox of unsent messages and changes of messages. It is stored in the browser, and sent as soon as there is a connection. */
import { ApiError } from '@asterism/sdk';
import { isTransient } from '../../data/cache.ts';
import { newKey } from '../../data/new-key.ts';
import { describeProblem, isOffline } from '../../ui/problems/problem.ts';
import { LostFile } from '../files/local-file.ts';
import type { LocalFile } from '../files/local-file.ts';
import { keyOfPlace } from './chat-place.ts';
import type { ChatPlace } from './chat-place.ts';
import { isChange, isReplaced, withRefused, withoutSent } from './unsent.ts';
import type { MessageChange, Unsent, UnsentChange } from './unsent.ts';

/** Sends a message or a change to the service, and adds the result to its chat. @returns the identifier of a message */
export type Deliver = (unsent: Unsent) => Promise<string | undefined>;

/** Reports a change that the service refused. */
export type Report = (change: UnsentChange, error: unknown) => void;

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
  readonly #report: Report;
  /** The identifiers of the messages that this window has sent, by their keys. */
  readonly #sent = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  readonly #busy = new Set<string>();
  /** The keys of what is being sent. */
  readonly #in_flight = new Set<string>();
  readonly #stopListening: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pause_ms = FIRST_PAUSE_MS;
  #is_closed = false;

  constructor(
    store: UnsentStore,
    deliver: Deliver,
    release: Release = () => undefined,
    report: Report = () => undefined,
  ) {
    this.#store = store;
    this.#report = report;
    this.#deliver = deliver;
    this.#release = release;
    this.#all = this.#read();
    this.#stopListening = store.onChange(() => {
      // Messages that this window is sending keep their state, even if another window has changed the stored ones meanwhile.
      this.#all = this.#read().map((one) => this.#all.find(({ key }) => key === one.key) ?? one);
      this.#notify();
    });
  }

  #read(): readonly Unsent[] {
    const kept = this.#store.read();
    if (!Array.isArray(kept)) return [];
    return (kept as Unsent[]).map((one) => (one.state === 'sending' ? { ...one, state: 'waiting' } : one));
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #set(all: readonly Unsent[]): void {
    this.#all = all;
    this.#store.write(all.length === 0 ? undefined : all);
    this.#notify();
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
    void this.#send(keyOfPlace(place));
  }

  /**
   * Queues a change of a message after earlier messages to the same chat; only the last of several changes is carried
   * out. A queued message that cannot have been received is changed itself.
   * @param message_id the message, or the key of an unsent one
   */
  change(place: ChatPlace, message_id: string, change: MessageChange): void {
    const id = this.#sent.get(message_id) ?? message_id;
    const own = this.#all.find(({ key }) => key === id);
    if (own !== undefined && change.kind === 'delete') return this.discard(id);
    if (own !== undefined && change.kind === 'edit' && own.is_tried !== true && !this.#in_flight.has(id)) {
      this.#change(id, { body: change.body });
      return own.state === 'refused' ? this.retry(id) : undefined;
    }
    const one: UnsentChange = {
      body: '',
      media: [],
      place,
      key: newKey(),
      written_at: new Date().toISOString(),
      state: 'sending',
      change: { ...change, message_id: id },
    };
    this.#set([...this.#all.filter((other) => this.#in_flight.has(other.key) || !isReplaced(other, one)), one]);
    void this.#send(keyOfPlace(place));
  }

  /** Retries a refused message. */
  retry(key: string): void {
    const one = this.#all.find((other) => other.key === key);
    if (one === undefined) return;
    const { problem: _, ...rest } = one;
    this.#set(this.#all.map((other) => (other.key === key ? { ...rest, state: 'sending' } : other)));
    void this.#send(keyOfPlace(one.place));
  }

  /** Discards a message. */
  discard(key: string): void {
    this.#release(this.#all.find((one) => one.key === key)?.files ?? []);
    this.#set(withoutSent(this.#all, key, undefined));
  }

  /** Sends all queued messages: the connection is back. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const name of new Set(this.#all.map(({ place }) => keyOfPlace(place)))) void this.#send(name);
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
      this.#is_closed ? undefined : this.#all.find((one) => keyOfPlace(one.place) === name && one.state !== 'refused');
    for (let one = next(); one !== undefined; one = next()) if (!(await this.#try(one))) break;
    this.#busy.delete(name);
  }

  /** Whether the next one may follow. */
  async #try(one: Unsent): Promise<boolean> {
    const is_tried = one.is_tried === true || !isOffline();
    if (one.state !== 'sending' || one.is_tried !== is_tried) this.#change(one.key, { state: 'sending', is_tried });
    this.#in_flight.add(one.key);
    try {
      const message_id = await this.#deliver(one);
      if (this.#is_closed) return this.#forget(one.key, message_id);
      this.#pause_ms = FIRST_PAUSE_MS;
      this.#settle(one, message_id);
      return true;
    } catch (error) {
      if (this.#is_closed) return false;
      return this.#fail(one, error);
    } finally {
      this.#in_flight.delete(one.key);
    }
  }

  #settle({ key, files = [] }: Unsent, message_id: string | undefined): void {
    if (message_id !== undefined) this.#sent.set(key, message_id);
    this.#release(files);
    this.#set(withoutSent(this.#all, key, message_id));
  }

  /** Whether the next one may follow. */
  #fail(one: Unsent, error: unknown): boolean {
    if (isTransient(error) && !(error instanceof LostFile)) {
      this.#wait(keyOfPlace(one.place));
      this.#later();
      return false;
    }
    if (isChange(one)) {
      this.discard(one.key);
      this.#report(one, error);
      return true;
    }
    // An author who has left the call no longer sees its chat, and could not discard the message anywhere.
    if (one.place.kind === 'call' && error instanceof ApiError && [404, 409].includes(error.status)) {
      this.discard(one.key);
      return true;
    }
    // A refused request would be refused again under its key.
    const refused = {
      key: newKey(),
      state: 'refused',
      is_tried: false,
      problem: error instanceof LostFile ? error.message : describeProblem(error),
    } as const;
    this.#set(withRefused(this.#all, one.key, refused));
    return true;
  }

  /** Marks the messages to a chat as waiting: later ones wait for the first. */
  #wait(name: string): void {
    const isSent = (one: Unsent) => keyOfPlace(one.place) === name && one.state === 'sending';
    this.#set(this.#all.map((one) => (isSent(one) ? { ...one, state: 'waiting' } : one)));
  }

  /** Removes a message that has arrived from what is stored, which the next outbox of the account reads. */
  #forget(key: string, message_id: string | undefined): boolean {
    const stored = this.#read();
    const left = withoutSent(stored, key, message_id);
    this.#release(stored.find((one) => one.key === key)?.files ?? []);
    this.#store.write(left.length === 0 ? undefined : left);
    return false;
  }

  #later(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.flush(), this.#pause_ms);
    this.#pause_ms = Math.min(this.#pause_ms * 2, MAX_PAUSE_MS);
  }
}

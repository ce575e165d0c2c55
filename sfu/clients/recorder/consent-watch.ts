/** Polls whose audio and video a recording must leave out. */
export class ConsentWatch {
  readonly #select: () => Promise<string[]>;
  readonly #onChange: () => void;
  readonly #onError: (error: unknown) => void;
  /** The identities that an answer has covered. */
  readonly #known = new Set<string>();
  readonly #unknown = new Set<string>();
  #withheld = new Set<string>();
  #reviewing: Promise<void> | undefined;

  /**
   * @param select returns the identities to leave out at this moment
   * @param onChange called when an answer differs from the previous one, or covers a new participant
   */
  constructor(select: () => Promise<string[]>, onChange: () => void, onError: (error: unknown) => void) {
    this.#select = select;
    this.#onChange = onChange;
    this.#onError = onError;
  }

  /** Whether a participant must be left out; true for all whom no answer has covered yet. */
  isWithheld(identity: string): boolean {
    if (!this.#known.has(identity)) {
      this.#unknown.add(identity);
      void this.review();
      return true;
    }
    return this.#withheld.has(identity);
  }

  /** Polls now; joins a poll that is in flight. A failed poll changes nothing and is repeated at the next interval. */
  review(): Promise<void> {
    this.#reviewing ??= this.#askOnce();
    return this.#reviewing;
  }

  async #askOnce(): Promise<void> {
    try {
      await this.#ask();
    } catch (error) {
      this.#onError(error);
      return;
    } finally {
      this.#reviewing = undefined;
    }
    // A participant who joined while the poll was in flight is not covered by it.
    if (this.#unknown.size > 0) void this.review();
  }

  async #ask(): Promise<void> {
    const come = [...this.#unknown];
    const answer = new Set(await this.#select());
    for (const identity of come) {
      this.#unknown.delete(identity);
      this.#known.add(identity);
    }
    const before = this.#withheld;
    this.#withheld = answer;
    const is_same = answer.size === before.size && [...answer].every((identity) => before.has(identity));
    if (come.length > 0 || !is_same) this.#onChange();
  }
}

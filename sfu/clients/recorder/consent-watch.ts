/** Whom a recording may take sound and pictures of: asked of whoever keeps the answers, again and again. */
export class ConsentWatch {
  readonly #select: () => Promise<string[]>;
  readonly #onChange: () => void;
  readonly #onError: (error: unknown) => void;
  /** Those of whom an answer has told. */
  readonly #known = new Set<string>();
  readonly #unknown = new Set<string>();
  #withheld = new Set<string>();
  #reviewing: Promise<void> | undefined;

  /**
   * @param select whom nothing may be taken of at this moment, by identity
   * @param onChange told when an answer differs from the one before, or tells of somebody new
   */
  constructor(select: () => Promise<string[]>, onChange: () => void, onError: (error: unknown) => void) {
    this.#select = select;
    this.#onChange = onChange;
    this.#onError = onError;
  }

  /** Whether nothing may be taken of somebody. Of whom no answer has told yet, nothing is. */
  isWithheld(identity: string): boolean {
    if (!this.#known.has(identity)) {
      this.#unknown.add(identity);
      void this.review();
      return true;
    }
    return this.#withheld.has(identity);
  }

  /** Asks; while an answer is awaited, that one. What cannot be asked leaves all as it was, and is asked the next time. */
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
    // Who came while the answer was on its way is in none yet.
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

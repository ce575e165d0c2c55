import { createRateGate, LIMITS } from '../limits.ts';

/** The data budget of all rooms of a thread together. */
export class DataBudget {
  readonly #deliveries = createRateGate(LIMITS.data_deliveries_per_second_total, LIMITS.data_deliveries_burst_total);
  #buffered_bytes = 0;

  takeDeliveries(count: number, now_ms: number): boolean {
    return this.#deliveries.take(now_ms, count);
  }

  /** Whether a receiver with this much buffered data must not get more. */
  isFull(own_buffered_bytes: number): boolean {
    return (
      own_buffered_bytes > LIMITS.data_buffered_bytes_share && this.#buffered_bytes > LIMITS.data_buffered_bytes_total
    );
  }

  recordSent(bytes: number): void {
    this.#buffered_bytes += bytes;
  }

  /** Replaces the estimate by the measured amount over all receivers. */
  setBuffered(bytes: number): void {
    this.#buffered_bytes = bytes;
  }
}

/** The data budget of one participant. */
export class DataAllowance {
  readonly #budget: DataBudget;
  readonly #chunks = createRateGate(LIMITS.data_chunks_per_second, LIMITS.data_chunks_burst);
  readonly #bytes = createRateGate(LIMITS.data_bytes_per_second, LIMITS.data_bytes_burst);
  readonly #deliveries = createRateGate(LIMITS.data_deliveries_per_second, LIMITS.data_deliveries_burst);

  constructor(budget: DataBudget) {
    this.#budget = budget;
  }

  /** @param receivers the maximum number of recipients */
  take(chunks: number, bytes: number, receivers: number, now_ms: number): boolean {
    const deliveries = chunks * Math.max(1, receivers);
    return (
      this.#chunks.take(now_ms, chunks) &&
      this.#bytes.take(now_ms, bytes) &&
      this.#deliveries.take(now_ms, deliveries) &&
      this.#budget.takeDeliveries(deliveries, now_ms)
    );
  }
}

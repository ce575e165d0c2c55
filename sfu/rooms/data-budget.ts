import { createRateGate, LIMITS } from '../limits.ts';

/** What the data messages of all rooms of a thread may cost together. */
export class DataBudget {
  readonly #deliveries = createRateGate(LIMITS.data_deliveries_per_second_total, LIMITS.data_deliveries_burst_total);
  #buffered_bytes = 0;

  takeDeliveries(count: number, now_ms: number): boolean {
    return this.#deliveries.take(now_ms, count);
  }

  /** Whether no more may wait for somebody for whom so much waits already. */
  isFull(own_buffered_bytes: number): boolean {
    return (
      own_buffered_bytes > LIMITS.data_buffered_bytes_share && this.#buffered_bytes > LIMITS.data_buffered_bytes_total
    );
  }

  noteSent(bytes: number): void {
    this.#buffered_bytes += bytes;
  }

  /** Takes what was counted over all receivers in place of what was sent since the last count. */
  setBuffered(bytes: number): void {
    this.#buffered_bytes = bytes;
  }
}

/** What one participant may send of data messages. */
export class DataAllowance {
  readonly #budget: DataBudget;
  readonly #chunks = createRateGate(LIMITS.data_chunks_per_second, LIMITS.data_chunks_burst);
  readonly #bytes = createRateGate(LIMITS.data_bytes_per_second, LIMITS.data_bytes_burst);
  readonly #deliveries = createRateGate(LIMITS.data_deliveries_per_second, LIMITS.data_deliveries_burst);

  constructor(budget: DataBudget) {
    this.#budget = budget;
  }

  /** @param receivers how many it may have to be sent to */
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

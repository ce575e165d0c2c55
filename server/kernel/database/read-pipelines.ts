/**
 * Connections shared by reads. Statements of many requests are pipelined on one connection, those of one event loop
 * turn in one write, and are answered in order. Under load each statement wakes a process far less often than on a
 * separate connection, which is most of the cost of a small read. Each is still a separate transaction.
 */
import type pg from 'pg';

/** A statement slower than this blocks those queued behind it; later ones are sent to another connection. */
const slow_ms = 20;
/** The maximum of statements in flight on one connection. */
const max_in_flight = 16;

/** The right to send one statement on a shared connection. */
export type Slot = {
  client: pg.PoolClient;
  /** To be called when the statement was answered. @param is_broken the connection can no longer be used */
  release(is_broken: boolean): void;
};

/** Connections that statements of many requests share. */
export type ReadPipelines = {
  /**
   * A slot for a statement that neither writes nor locks; undefined while every connection is full, slow or not open
   * yet.
   */
  acquire(): Slot | undefined;
  /** The number of connections that are open and idle. */
  idle(): number;
  /** Returns each connection to its pool once its statements in flight were answered. */
  close(): void;
};

/** One shared connection: opened, and opened again when it breaks. */
class Pipeline {
  client: pg.PoolClient | undefined;
  in_flight = 0;
  private is_opening = false;
  private is_closed = false;
  /** When the statement at the head of the queue reached that position. */
  private front_since_ms = 0;
  private readonly pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  hasRoom(now_ms: number): boolean {
    return this.in_flight < max_in_flight && now_ms - this.front_since_ms < slow_ms;
  }

  async open(): Promise<void> {
    if (this.is_opening) return;
    this.is_opening = true;
    // When that fails, the caller has already fallen back to the pool, and receives the error there.
    const client = await this.pool.connect().catch(() => undefined);
    this.is_opening = false;
    if (!client) return;
    if (this.is_closed) return client.release();
    this.client = client;
    client.once('error', () => this.returnToPool(client, true));
  }

  acquire(client: pg.PoolClient, now_ms: number): Slot {
    if (this.in_flight === 0) this.front_since_ms = now_ms;
    this.in_flight += 1;
    return { client, release: (is_broken) => this.release(client, is_broken) };
  }

  close(): void {
    this.is_closed = true;
    if (this.client && this.in_flight === 0) this.returnToPool(this.client, false);
  }

  private release(client: pg.PoolClient, is_broken: boolean): void {
    if (this.client !== client) return;
    this.in_flight -= 1;
    this.front_since_ms = performance.now();
    if (is_broken || (this.is_closed && this.in_flight === 0)) this.returnToPool(client, is_broken);
  }

  private returnToPool(client: pg.PoolClient, is_broken: boolean): void {
    if (this.client !== client) return;
    this.client = undefined;
    this.in_flight = 0;
    client.release(is_broken);
  }
}

/** Manages up to `count` shared connections of a pool; a further one is opened when all others are busy. */
export function createReadPipelines(pool: pg.Pool, count: number): ReadPipelines {
  const pipelines = Array.from({ length: count }, () => new Pipeline(pool));
  let is_closed = false;

  /** The least busy connection; opens another when all are in use. */
  function choose(now_ms: number): Pipeline | undefined {
    let best: Pipeline | undefined;
    let closed: Pipeline | undefined;
    for (const pipeline of pipelines) {
      if (!pipeline.client) closed ??= pipeline;
      else if (pipeline.in_flight === 0) return pipeline;
      else if (pipeline.hasRoom(now_ms) && (!best || pipeline.in_flight < best.in_flight)) best = pipeline;
    }
    if (closed) void closed.open();
    return best;
  }

  return {
    acquire() {
      if (is_closed) return undefined;
      const now_ms = performance.now();
      const pipeline = choose(now_ms);
      return pipeline?.client && pipeline.acquire(pipeline.client, now_ms);
    },
    idle: () => pipelines.filter(({ client, in_flight }) => client && in_flight === 0).length,
    close() {
      is_closed = true;
      for (const pipeline of pipelines) pipeline.close();
    },
  };
}

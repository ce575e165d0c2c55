/**
 * Connections that reads share. The statements of many requests travel on one connection, one behind the other, those of
 * one turn of the event loop in one write, and are answered in their order. Under load each wakes a process far less often
 * than on a connection of its own, which is most of what a small read costs. Each is still a transaction by itself.
 */
import type pg from 'pg';

/** What stands behind a statement that takes longer waits for it; what comes later goes elsewhere. */
const slow_ms = 20;
/** So many statements are under way on one connection, at most. */
const max_under_way = 16;

/** A slot on a connection for one statement. */
export type Slot = {
  client: pg.PoolClient;
  /** To be called once the statement was answered. @param is_broken the connection is of no more use */
  release(is_broken: boolean): void;
};

export type ReadPipelines = {
  /** A slot for a statement that changes and locks nothing; undefined while all connections are full, slow or not open yet. */
  acquire(): Slot | undefined;
  /** How many are open and have nothing to do. */
  idle(): number;
  /** Gives each connection back to its pool, once what is under way was answered. */
  close(): void;
};

/** One shared connection, which is opened, breaks and is opened again. */
class Pipeline {
  client: pg.PoolClient | undefined;
  under_way = 0;
  private is_opening = false;
  private is_closed = false;
  /** When the statement at its front came there. */
  private front_since_ms = 0;
  private readonly pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  hasRoom(now_ms: number): boolean {
    return this.under_way < max_under_way && now_ms - this.front_since_ms < slow_ms;
  }

  async open(): Promise<void> {
    if (this.is_opening) return;
    this.is_opening = true;
    // Where that fails, whoever asked has gone to the pool, and hears there what is wrong.
    const client = await this.pool.connect().catch(() => undefined);
    this.is_opening = false;
    if (!client) return;
    if (this.is_closed) return client.release();
    this.client = client;
    client.once('error', () => this.giveBack(client, true));
  }

  acquire(client: pg.PoolClient, now_ms: number): Slot {
    if (this.under_way === 0) this.front_since_ms = now_ms;
    this.under_way += 1;
    return { client, release: (is_broken) => this.release(client, is_broken) };
  }

  close(): void {
    this.is_closed = true;
    if (this.client && this.under_way === 0) this.giveBack(this.client, false);
  }

  private release(client: pg.PoolClient, is_broken: boolean): void {
    if (this.client !== client) return;
    this.under_way -= 1;
    this.front_since_ms = performance.now();
    if (is_broken || (this.is_closed && this.under_way === 0)) this.giveBack(client, is_broken);
  }

  private giveBack(client: pg.PoolClient, is_broken: boolean): void {
    if (this.client !== client) return;
    this.client = undefined;
    this.under_way = 0;
    client.release(is_broken);
  }
}

/** Makes up to `count` shared connections of a pool, each opened once all others are busy. */
export function createReadPipelines(pool: pg.Pool, count: number): ReadPipelines {
  const pipelines = Array.from({ length: count }, () => new Pipeline(pool));
  let is_closed = false;

  /** The one with the least to do; opens another where each has something. */
  function choose(now_ms: number): Pipeline | undefined {
    let best: Pipeline | undefined;
    let closed: Pipeline | undefined;
    for (const pipeline of pipelines) {
      if (!pipeline.client) closed ??= pipeline;
      else if (pipeline.under_way === 0) return pipeline;
      else if (pipeline.hasRoom(now_ms) && (!best || pipeline.under_way < best.under_way)) best = pipeline;
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
    idle: () => pipelines.filter(({ client, under_way }) => client && under_way === 0).length,
    close() {
      is_closed = true;
      for (const pipeline of pipelines) pipeline.close();
    },
  };
}

/**
 * Group commit (DeWitt and others, "Implementation Techniques for Main Memory Database Systems", 1984): transactions of many
 * requests are sent as a single one, which is answered and written to disk once. A transaction takes part if it is complete
 * when it is sent, and thus needs no answer in between. While a group runs, the next one collects; so groups grow with
 * the load, and nothing waits for a timer.
 */
import pg from 'pg';
import {
  isConnectionBroken,
  runAsOne,
  runInTransaction,
  SkippedStatement,
  type NamedStatement,
  type Outcome,
} from './statement-batch.ts';

/** A transaction without its `begin` and `commit`. */
export type CompleteTransaction = {
  statements: readonly NamedStatement[];
  /** Called once, with the outcomes of its statements and of its commit. */
  settle(outcomes: Outcome[], commit: Outcome): void;
};

/** Gathers complete transactions, and executes each group as one. */
export type GroupCommit = {
  add(transaction: CompleteTransaction): void;
  /** How many transactions wait for a group. */
  waiting(): number;
  /** The number of connections that are open and idle. */
  idle(): number;
  /** Returns each connection to its pool once its group was answered. */
  close(): void;
};

/** The maximum of transactions in a group, so that the first need not wait for many others. */
const max_transactions = 16;
const max_statements = 64;

/**
 * How long a group waits for a lock. Then its transactions run separately, so that the others need not wait with the one
 * whose lock is taken; and no two groups stay in a deadlock.
 */
const lockTimeout: NamedStatement = {
  name: 'group lock timeout',
  text: `select set_config('lock_timeout', '20ms', false)`,
  values: [],
};
const lock_not_available = '55P03';

/** A connection that is kept for groups. */
class GroupConnection {
  is_busy = false;
  private client: pg.PoolClient | undefined;
  private readonly pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  get is_idle(): boolean {
    return this.client !== undefined && !this.is_busy;
  }

  /** @throws an error of the connection */
  async open(): Promise<pg.PoolClient> {
    if (this.client) return this.client;
    const client = await this.pool.connect();
    client.once('error', () => this.drop(client));
    this.client = client;
    try {
      await runInTransaction(client, lockTimeout);
    } catch (error) {
      this.drop(client);
      throw error;
    }
    return client;
  }

  /** Closes the connection: its setting must not reach other statements. */
  drop(client = this.client): void {
    if (!client || this.client !== client) return;
    this.client = undefined;
    client.release(true);
  }
}

/** Commits in groups on up to `count` connections of a pool; without any, each transaction runs separately. */
export function createGroupCommit(pool: pg.Pool, count: number): GroupCommit {
  const connections = Array.from({ length: count }, () => new GroupConnection(pool));
  const waiting: CompleteTransaction[] = [];
  let is_planned = false;
  let is_closed = false;

  /** Starts groups at the end of this turn of the event loop, so that all transactions of the turn take part. */
  const plan = () => {
    if (is_planned) return;
    is_planned = true;
    setImmediate(() => {
      is_planned = false;
      for (const connection of connections) if (waiting.length > 0 && !connection.is_busy) void runNext(connection);
    });
  };

  const runNext = async (connection: GroupConnection) => {
    connection.is_busy = true;
    try {
      const client = await connection.open();
      const group = takeGroup(waiting);
      if (group.length > 0 && (await runGroup(pool, client, group))) connection.drop();
    } catch {
      // A transaction that gets no connection receives the error itself.
      for (const one of takeGroup(waiting)) void runSeparately(pool, one);
    }
    connection.is_busy = false;
    if (is_closed) connection.drop();
    if (waiting.length > 0) plan();
  };

  return {
    add(transaction) {
      if (count === 0 || is_closed) return void runSeparately(pool, transaction);
      waiting.push(transaction);
      plan();
    },
    waiting: () => waiting.length,
    idle: () => connections.filter(({ is_idle }) => is_idle).length,
    close() {
      is_closed = true;
      for (const connection of connections) if (connection.is_idle) connection.drop();
    },
  };
}

/** Removes the transactions of the next group from those that wait. */
function takeGroup(waiting: CompleteTransaction[]): CompleteTransaction[] {
  let statements = 0;
  const fits = ({ statements: { length } }: CompleteTransaction, at: number) =>
    at < max_transactions && (at === 0 || (statements += length) <= max_statements);
  const end = waiting.findIndex((one, at) => !fits(one, at));
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

/**
 * Runs a group. If a transaction fails, it receives its error and the others run again, separately, since the server has
 * rolled back all of them; thus nothing runs more than twice.
 * @returns whether the connection is broken
 */
async function runGroup(pool: pg.Pool, client: pg.PoolClient, group: CompleteTransaction[]): Promise<boolean> {
  const { outcomes, commit } = await runAsOne(
    client,
    group.map(({ statements }) => statements),
  );
  const errors = outcomes.map((own) => own.map(errorOf).find((error) => error && !(error instanceof SkippedStatement)));
  const failed_at = errors.findIndex(Boolean);
  const failure = errors[failed_at] ?? errorOf(commit);
  // Without the server's answer it is unknown whether they were committed.
  const is_rolled_back = failure instanceof pg.DatabaseError && !isConnectionBroken(failure);
  const is_lock = is_rolled_back && failure.code === lock_not_available;
  for (const [at, one] of group.entries()) {
    const is_own = group.length === 1 || at === failed_at;
    if (is_rolled_back && (is_lock || !is_own)) void runSeparately(pool, one);
    else one.settle(causesOf(outcomes[at] ?? []), failure ? { status: 'rejected', reason: failure } : commit);
  }
  return failure !== undefined && !is_rolled_back;
}

/** Runs one transaction on any free connection. */
async function runSeparately(pool: pg.Pool, { statements, settle }: CompleteTransaction): Promise<void> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (reason) {
    const failed: Outcome = { status: 'rejected', reason };
    settle(
      statements.map(() => failed),
      failed,
    );
    return;
  }
  const { outcomes, commit } = await runAsOne(client, [statements]);
  const own = causesOf(outcomes[0] ?? []);
  const failure = [...own, commit].map(errorOf).find(Boolean);
  client.release(failure !== undefined && isConnectionBroken(failure));
  settle(own, failure ? { status: 'rejected', reason: failure } : commit);
}

const errorOf = (outcome: Outcome): unknown => (outcome.status === 'rejected' ? outcome.reason : undefined);

/** Outcomes in which a statement that was not run has the error because of which it was not. */
const causesOf = (outcomes: Outcome[]): Outcome[] =>
  outcomes.map((outcome) => {
    const error = errorOf(outcome);
    return error instanceof SkippedStatement ? { status: 'rejected', reason: error.cause } : outcome;
  });

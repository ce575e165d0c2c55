/** Transactions: complete ones share a commit with others, and the others have a connection each. */
import type pg from 'pg';
import { ApiError } from '../errors.ts';
import type { CompleteTransaction } from './group-commit.ts';
import { toParameter, type Result } from './prepared-statement.ts';
import {
  controlStatement,
  isConnectionBroken,
  isWhole,
  runInTransaction,
  type NamedStatement,
  type Outcome,
} from './statement-batch.ts';

/** Where transactions run. */
export type TransactionHost = {
  /** @throws ApiError `unavailable` while the database hangs or too many wait for it */
  admit(): void;
  connect(): Promise<pg.PoolClient>;
  /** Runs a transaction that is complete. */
  add(transaction: CompleteTransaction): void;
};

type Run = (statement: NamedStatement) => Promise<Result>;
type Held = { statement: NamedStatement; resolve(result: Result): void; reject(error: unknown): void };

/** A complete transaction of more statements has a connection of its own. */
const max_grouped = 16;

/**
 * A transaction that collects the statements issued in one tick before it needs a connection. If it is complete by then, it
 * shares a commit with others.
 */
class CollectedTransaction {
  private readonly host: TransactionHost;
  private held: Held[] = [];
  private is_planned = false;
  private is_ended = false;
  private client: pg.PoolClient | undefined;

  constructor(host: TransactionHost) {
    this.host = host;
  }

  readonly run: Run = async ({ name, text, values }) => {
    // Fails for a value that cannot be converted, before anything is sent.
    const statement = { name, text, values: values.map(toParameter) };
    if (this.client) return runInTransaction(this.client, statement);
    if (this.is_ended) return ended(text);
    return new Promise<Result>((resolve, reject) => {
      this.held.push({ statement, resolve, reject });
      // `begin` waits for the first statement after it.
      if (this.is_planned || this.held.length === 1) return;
      this.is_planned = true;
      process.nextTick(() => this.send());
    });
  };

  /** Returns the connection to the pool. */
  release(error?: unknown): void {
    this.client?.release(error !== undefined && isConnectionBroken(error));
    this.client = undefined;
    this.is_ended = true;
  }

  private send(): void {
    const statements = this.held.map(({ statement }) => statement);
    if (statements.length === 2 && /^(?:commit|rollback)$/.test(statements[1]?.text ?? '')) {
      for (const { statement, resolve } of this.end()) resolve(resultOf(statement.text));
      return;
    }
    try {
      this.host.admit();
    } catch (error) {
      for (const { reject } of this.end()) reject(error);
      return;
    }
    if (isWhole(statements) && statements.length <= max_grouped) this.commitInGroup(this.end());
    else void this.connect();
  }

  private end(): Held[] {
    const held = this.held;
    this.held = [];
    this.is_ended = true;
    return held;
  }

  private commitInGroup(held: Held[]): void {
    const own = held.slice(1, -1);
    held[0]?.resolve(resultOf('begin'));
    this.host.add({
      statements: own.map(({ statement }) => statement),
      settle(outcomes, commit) {
        for (const [at, one] of own.entries()) settleOne(one, outcomes[at] ?? commit);
        const last = held.at(-1);
        if (last) settleOne(last, commit);
      },
    });
  }

  private async connect(): Promise<void> {
    try {
      const client = await this.host.connect();
      this.client = client;
      const held = this.held;
      this.held = [];
      for (const { statement, resolve, reject } of held) runInTransaction(client, statement).then(resolve, reject);
    } catch (error) {
      for (const { reject } of this.end()) reject(error);
    }
  }
}

const resultOf = (command: string): Result => ({ rows: [], rowCount: 0, command: command.toUpperCase() });

/** After the end there is nothing to roll back. */
function ended(text: string): Result {
  if (text === 'rollback') return resultOf(text);
  throw new Error('the transaction has ended');
}

function settleOne({ resolve, reject }: Held, outcome: Outcome): void {
  if (outcome.status === 'fulfilled') resolve(outcome.value);
  else reject(outcome.reason);
}

/**
 * Runs `work` in a transaction, and `finish` at its end, whose statements share the round trip of the commit.
 * @throws what they throw, or an error of the database
 */
export async function runTransaction<T>(
  host: TransactionHost,
  work: (run: Run) => Promise<T>,
  finish?: (run: Run) => Promise<unknown>,
): Promise<T> {
  const transaction = new CollectedTransaction(host);
  try {
    const result = await commitAfter(transaction.run, work, finish);
    transaction.release();
    return result;
  } catch (error) {
    transaction.release(error);
    throw error;
  }
}

/**
 * Ends a transaction without its changes. PostgreSQL skips a rollback that was sent in one batch with a statement that
 * fails: it is sent again then, or the connection would stay in the failed transaction.
 */
async function rollBack(run: Run): Promise<void> {
  await run(controlStatement('rollback'))
    .catch(() => run(controlStatement('rollback')))
    .catch(() => undefined);
}

async function commitAfter<T>(
  run: Run,
  work: (run: Run) => Promise<T>,
  finish?: (run: Run) => Promise<unknown>,
): Promise<T> {
  const control = (text: 'begin' | 'commit') => run(controlStatement(text));
  // Not awaited: `begin` shares the round trip of the first statement.
  const begun = control('begin');
  begun.catch(() => undefined);
  let kept: ApiError | undefined;
  let result: T | undefined;
  try {
    result = await work(run);
  } catch (error) {
    if (!(error instanceof ApiError && error.commit)) {
      await rollBack(run);
      throw error;
    }
    kept = error;
  }
  try {
    const finished = finish?.(run);
    const committed = control('commit');
    committed.catch(() => undefined);
    // A commit fails because an earlier statement failed, perhaps with a less specific error.
    await Promise.all([begun, finished]);
    // After an error the server answers COMMIT with ROLLBACK instead of failing it.
    if ((await committed).command !== 'COMMIT') throw new Error('the transaction was rolled back by the server');
  } catch (error) {
    await rollBack(run);
    throw error;
  }
  if (kept) throw kept;
  return result as T;
}

/**
 * Batches of pipelined statements: those issued on a connection of `pg` in one turn, under one Sync. The server answers
 * all of them in one write and, outside a transaction, commits once instead of once for each. After an error it skips
 * the rest of the batch (PostgreSQL, 54.2.4).
 */
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { forget, PreparedStatement, type Connection, type Field, type Result } from './prepared-statement.ts';

/** A statement was not run because an earlier one of its batch failed; the cause is that error. */
export class SkippedStatement extends Error {
  constructor(cause: unknown) {
    super('a statement before it in its batch has failed', { cause });
  }
}

/** Whether an error ended its connection. */
export function isConnectionBroken(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return /^(08|57P|25P03|ECONN|EPIPE)/.test(code) || message === 'Query read timeout';
}

/** The error of a statement that the server does not know (PostgreSQL, appendix A: `invalid_sql_statement_name`). */
const not_parsed = '26000';

/** The maximum of statements in a batch, so that the first need not wait for many others. */
const max_statements = 32;

/**
 * The driver's query class, of which a batch uses only what the driver identifies it by. Its types declare methods as
 * properties.
 */
const DriverQuery = pg.Query as unknown as new (query: { text: string }) => object;

/** The driver submits a batch when it is next in its queue, and passes it the server's messages. */
class StatementBatch extends DriverQuery {
  declare callback: (error: unknown) => void;
  private readonly statements: PreparedStatement[] = [];
  /** The index of the statement that is being answered. */
  private at = 0;
  private is_settled = false;
  /** Whether it is a transaction from `begin` to `commit`, which are then not sent. */
  private is_whole = false;

  constructor() {
    super({ text: '' });
  }

  get length(): number {
    return this.statements.length;
  }

  // On ParseComplete the driver stores the name and text of the current query.
  get name(): string | undefined {
    return this.statements[this.at]?.name;
  }
  set name(_: string | undefined) {
    // The driver's own query has this property.
  }
  get text(): string | undefined {
    return this.statements[this.at]?.text;
  }
  set text(_: string | undefined) {
    // As above.
  }

  add(statement: PreparedStatement): void {
    this.statements.push(statement);
  }

  submit(connection: Connection): null {
    const { stream } = connection;
    this.is_whole = isWhole(this.statements);
    const sent = this.is_whole ? this.statements.slice(1, -1) : this.statements;
    if (this.is_whole) this.at = 1;
    stream.cork();
    for (const statement of sent) statement.write(connection);
    connection.sync();
    stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.statements[this.at]?.addShape(fields);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.statements[this.at]?.addRow(fields);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.statements[this.at]?.complete(text);
    this.at += 1;
  }

  handleReadyForQuery(): void {
    this.is_settled = true;
    this.callback(null);
    if (this.is_whole) this.statements.at(-1)?.complete('COMMIT');
    for (const statement of this.statements) statement.succeed();
  }

  /** The driver had no connection for it, or timed out: no messages will follow. */
  giveUp(error: unknown): void {
    if (this.is_settled) return;
    this.is_settled = true;
    for (const statement of this.statements) statement.fail(error);
  }

  /** A message of the server, or an error of the connection. */
  handleError(error: unknown, connection: Connection): void {
    if (this.is_settled) return;
    this.is_settled = true;
    this.callback(error);
    // The statements after the failed one were not parsed either.
    for (const { name } of this.statements.slice(this.at + 1)) delete connection.submittedNamedStatements[name];
    const failed = this.statements[this.at];
    if (failed && (error as { code?: string }).code === not_parsed) forget(connection, failed.name);
    const settle = () => this.settleFailed(error);
    if (error instanceof pg.DatabaseError && !isConnectionBroken(error)) whenReady(connection, settle);
    else settle();
  }

  private settleFailed(error: unknown): void {
    const others = error instanceof pg.DatabaseError ? new SkippedStatement(error) : error;
    for (const [at, statement] of this.statements.entries()) {
      if (at < this.at) statement.succeed();
      else statement.fail(at === this.at ? error : others);
    }
  }
}

/**
 * Calls back once the server is ready for another query, or gone. The server reports an error before it
 * rolls back, and until then holds locks that the caller may need on another connection.
 */
function whenReady(connection: Connection, done: () => void): void {
  const finish = () => {
    connection.off('readyForQuery', finish);
    connection.off('end', finish);
    done();
  };
  connection.on('readyForQuery', finish);
  connection.on('end', finish);
}

/**
 * Whether statements are a transaction from its beginning to its end. PostgreSQL runs everything under one Sync as one
 * transaction by itself, and commits it at the Sync; only savepoints need an explicit one.
 */
export function isWhole(statements: readonly Pick<NamedStatement, 'text'>[]): boolean {
  return (
    statements.length > 2 &&
    statements[0]?.text === 'begin' &&
    statements.at(-1)?.text === 'commit' &&
    !statements.some(({ text }) => text.startsWith('savepoint'))
  );
}

type Runner = { query(batch: StatementBatch, values: undefined, done: (error: unknown) => void): void };

function submit(runner: unknown, batch: StatementBatch): void {
  (runner as Runner).query(batch, undefined, (error) => batch.giveUp(error));
}

/** A statement as its pool identifies it. */
export type NamedStatement = Pick<Sql, 'text' | 'values'> & { name: string };

/** Batches that have not been sent yet. */
const open = new WeakMap<pg.PoolClient, StatementBatch>();

/**
 * Runs a statement in one batch with others that are issued on the same connection before `whenDone` calls back.
 * @param whenDone calls back at the end of the batch window: this tick, or this turn of the event loop
 * @throws SkippedStatement, an error of the server or the connection, or of converting the values
 */
export function runInBatch(
  client: pg.PoolClient,
  { name, ...statement }: NamedStatement,
  whenDone: (send: () => void) => void,
): Promise<Result> {
  return settled((done) => {
    const run = new PreparedStatement(name, statement, done);
    if (!run.encode()) return;
    let batch = open.get(client);
    if (!batch) {
      const made = (batch = new StatementBatch());
      open.set(client, made);
      whenDone(() => {
        if (open.get(client) !== made) return;
        open.delete(client);
        submit(client, made);
      });
    }
    batch.add(run);
    if (batch.length < max_statements) return;
    open.delete(client);
    submit(client, batch);
  });
}

/**
 * Runs a statement of a transaction, batched with those issued in the same tick. The failure of one fails the
 * transaction.
 */
export async function runInTransaction(client: pg.PoolClient, statement: NamedStatement): Promise<Result> {
  try {
    return await runInBatch(client, statement, process.nextTick);
  } catch (error) {
    throw error instanceof SkippedStatement ? error.cause : error;
  }
}

/** Runs a single statement on any free connection of a pool. */
export function runAlone(pool: pg.Pool, { name, ...statement }: NamedStatement): Promise<Result> {
  return settled((done) => {
    const run = new PreparedStatement(name, statement, done);
    if (!run.encode()) return;
    const batch = new StatementBatch();
    batch.add(run);
    submit(pool, batch);
  });
}

/** What became of one statement: its result, or an error. */
export type Outcome = PromiseSettledResult<Result>;

/**
 * Runs complete transactions as a single one, with one commit: the statements of each in order, without `begin` and
 * `commit`. If any fails, the server rolls back all of them.
 * @returns the outcomes of the statements of each, and of the commit
 */
export async function runAsOne(
  client: pg.PoolClient,
  transactions: readonly (readonly NamedStatement[])[],
): Promise<{ outcomes: Outcome[][]; commit: Outcome }> {
  const batch = new StatementBatch();
  const add = ({ name, ...statement }: NamedStatement) =>
    new Promise<Result>((resolve, reject) => {
      const done: Done = (error, result) => (error ? reject(error as Error) : resolve(result as Result));
      const run = new PreparedStatement(name, statement, done);
      if (run.encode()) batch.add(run);
    });
  const begin = add(controlStatement('begin'));
  const running = transactions.map((statements) => Promise.allSettled(statements.map(add)));
  const committed = Promise.allSettled([begin, add(controlStatement('commit'))]);
  submit(client, batch);
  const outcomes = await Promise.all(running);
  const [, commit] = await committed;
  return { outcomes, commit };
}

/** A statement that begins or ends a transaction; such statements are named by their text. */
export const controlStatement = (text: 'begin' | 'commit' | 'rollback'): NamedStatement => ({
  name: text,
  text,
  values: [],
});

type Done = (error: unknown, result?: Result) => void;

async function settled(run: (done: Done) => void): Promise<Result> {
  try {
    return await new Promise((resolve, reject) => {
      run((error, result) => (error ? reject(error as Error) : resolve(result as Result)));
    });
  } catch (error) {
    // The stack of the original error points to the socket reader; the caller's stack is more useful.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/**
 * Statements that travel together on a pipelined connection of `pg`: those that are issued on it in one turn, under one Sync.
 * The server answers all of them in one write, and outside a transaction ends one transaction instead of many. After an error it
 * passes over what stands behind it in the batch (PostgreSQL, 54.2.4).
 */
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { PreparedStatement, type Connection, type Field, type Result } from './prepared-statement.ts';

/** A statement was not run, since one before it in its batch had failed: with what, its cause tells. */
export class SkippedStatement extends Error {
  constructor(cause: unknown) {
    super('a statement before it in its batch has failed', { cause });
  }
}

/** More statements than this make another batch, so that the first needs not wait for many others. */
const max_statements = 32;

/** The driver's query, of which a batch keeps what the driver knows it by. Its types name methods as properties. */
const DriverQuery = pg.Query as unknown as new (query: { text: string }) => object;

/** The driver submits a batch in its turn, and hands it what comes for it. */
class StatementBatch extends DriverQuery {
  declare callback: (error: unknown) => void;
  private readonly statements: PreparedStatement[] = [];
  /** The place of the statement that is being answered. */
  private at = 0;
  private is_settled = false;

  constructor() {
    super({ text: '' });
  }

  get length(): number {
    return this.statements.length;
  }

  // The driver keeps the name and text of whatever is being answered when the server says that it was parsed.
  get name(): string | undefined {
    return this.statements[this.at]?.name;
  }
  set name(_: string | undefined) {
    // The driver's own query has one.
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
    stream.cork();
    for (const statement of this.statements) statement.write(connection);
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
    for (const statement of this.statements) statement.succeed();
  }

  /** The driver had no connection to submit it on, or waited too long: nothing more comes for it. */
  giveUp(error: unknown): void {
    if (this.is_settled) return;
    this.is_settled = true;
    for (const statement of this.statements) statement.fail(error);
  }

  /** An answer of the server, or what happened to the connection. */
  handleError(error: unknown, { submittedNamedStatements }: Connection): void {
    if (this.is_settled) return;
    this.is_settled = true;
    this.callback(error);
    const others = error instanceof pg.DatabaseError ? new SkippedStatement(error) : error;
    for (const [at, statement] of this.statements.entries()) {
      if (at < this.at) {
        statement.succeed();
        continue;
      }
      // What stands behind it was not parsed either.
      if (at > this.at) delete submittedNamedStatements[statement.name];
      statement.fail(at === this.at ? error : others);
    }
  }
}

type Runner = { query(batch: StatementBatch, values: undefined, done: (error: unknown) => void): void };

function submit(runner: unknown, batch: StatementBatch): void {
  (runner as Runner).query(batch, undefined, (error) => batch.giveUp(error));
}

/** A statement as its pool knows it. */
export type NamedStatement = Pick<Sql, 'text' | 'values'> & { name: string };

/** Batches that are not sent yet. */
const open = new WeakMap<pg.PoolClient, StatementBatch>();

/**
 * Runs a statement on a connection, together with those that are issued on it before `whenDone` calls back.
 * @param whenDone calls back at the end of what belongs together: this tick, or this turn of the event loop
 * @throws SkippedStatement, what the server or the connection fails with, or what the values are no values for
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

/** Runs a statement of a transaction, with those that are issued in the same tick. What one of them fails with ends all. */
export async function runInTransaction(client: pg.PoolClient, statement: NamedStatement): Promise<Result> {
  try {
    return await runInBatch(client, statement, process.nextTick);
  } catch (error) {
    throw error instanceof SkippedStatement ? error.cause : error;
  }
}

/** Runs a statement by itself on whichever connection of a pool is free. */
export function runAlone(pool: pg.Pool, { name, ...statement }: NamedStatement): Promise<Result> {
  return settled((done) => {
    const run = new PreparedStatement(name, statement, done);
    if (!run.encode()) return;
    const batch = new StatementBatch();
    batch.add(run);
    submit(pool, batch);
  });
}

type Done = (error: unknown, result?: Result) => void;

async function settled(run: (done: Done) => void): Promise<Result> {
  try {
    return await new Promise((resolve, reject) => {
      run((error, result) => (error ? reject(error as Error) : resolve(result as Result)));
    });
  } catch (error) {
    // It was made where the answer was read: which code has sent the statement says more.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

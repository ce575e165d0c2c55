/**
 * One execution of a named prepared statement. It sends and reads less than the driver's own query: the rows of a
 * statement are described once per connection, not at each execution.
 */
import type { Writable } from 'node:stream';
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import type { Sql } from 'sql-template-tag';

/** The result of an execution. */
export type Result = { rows: object[]; rowCount: number; command: string };

type Parser = (text: string) => unknown;
export type Field = { name: string; dataTypeID: number };
/** How to build rows from the fields of a statement. A missing parser leaves the value as text. */
type Shape = { names: string[]; parsers: (Parser | undefined)[] };

/** The parts of the driver's connection that statements use. */
export type Connection = {
  stream: Writable;
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  parse(statement: { name: string; text: string }): void;
  close(target: { type: 'S'; name: string }): void;
  bind(run: { statement: string; values: unknown[] }): void;
  describe(portal: { type: 'P'; name: string }): void;
  sync(): void;
  on(event: 'readyForQuery' | 'end', listener: () => void): void;
  off(event: 'readyForQuery' | 'end', listener: () => void): void;
};

/** Execute of the unnamed portal without a limit (PostgreSQL, 54.7). */
const execute = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);

const text_types: ReadonlySet<number> = new Set([pg.types.builtins.TEXT, pg.types.builtins.VARCHAR, 19, 705]);

/** The row shapes that a connection has already described. */
const shapes = new WeakMap<Connection, Map<string, Shape>>();

function shapesOf(connection: Connection): Map<string, Shape> {
  let known = shapes.get(connection);
  if (!known) {
    known = new Map();
    shapes.set(connection, known);
  }
  return known;
}

/** The beginning of the names of statements whose text depends on their input. */
export const variable_prefix = 'variable ';

/**
 * How many statements a connection keeps: more than the service has, and a few of those whose text depends on their input,
 * of which there are hundreds. The server needs 10 to 100 KB for each, and up to a megabyte for one of the latter.
 */
const max_prepared = { fixed: 1500, variable: 12 };

type Prepared = Record<keyof typeof max_prepared, Set<string>>;

/** The names of the statements that a connection has parsed, oldest first. */
const prepared = new WeakMap<Connection, Prepared>();

function preparedBy(connection: Connection, name: string): { names: Set<string>; max: number } {
  let all = prepared.get(connection);
  if (!all) prepared.set(connection, (all = { fixed: new Set(), variable: new Set() }));
  const kind = name.startsWith(variable_prefix) ? 'variable' : 'fixed';
  return { names: all[kind], max: max_prepared[kind] };
}

/** Forgets that a connection has parsed a statement. */
export function forget(connection: Connection, name: string): void {
  preparedBy(connection, name).names.delete(name);
  delete connection.parsedStatements[name];
  delete connection.submittedNamedStatements[name];
  shapesOf(connection).delete(name);
}

/**
 * Whether a connection has parsed a statement, or will have when it gets there. The driver alone does not know: it notes a
 * statement when the answer comes, by when it may have been closed.
 */
const isParsed = (connection: Connection, name: string): boolean =>
  preparedBy(connection, name).names.has(name) &&
  (connection.parsedStatements[name] !== undefined || connection.submittedNamedStatements[name] !== undefined);

/** Parses a statement, and closes the oldest one to make room for it. */
function prepare(connection: Connection, { name, text }: { name: string; text: string }): void {
  forget(connection, name);
  const { names, max } = preparedBy(connection, name);
  names.add(name);
  const [oldest] = names;
  if (names.size > max && oldest !== undefined) {
    forget(connection, oldest);
    connection.close({ type: 'S', name: oldest });
  }
  // It may be known to the server still, when the batch that was to close it has failed.
  connection.close({ type: 'S', name });
  connection.parse({ name, text });
  connection.submittedNamedStatements[name] = text;
}

function shapeOf(fields: Field[]): Shape {
  return {
    names: fields.map(({ name }) => name),
    parsers: fields.map(({ dataTypeID }) => parserOf(dataTypeID)),
  };
}

function parserOf(type: number): Parser | undefined {
  if (text_types.has(type)) return undefined;
  if (type === pg.types.builtins.TIMESTAMPTZ) return parseMoment;
  if (type === pg.types.builtins.JSON || type === pg.types.builtins.JSONB) return parseJson;
  return pg.types.getTypeParser(type, 'text');
}

const parseOtherMoment = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text') as Parser;

const zero = '0'.charCodeAt(0);

/** A digit of a text, and two digits as a number. */
const digitAt = (text: string, at: number): number => text.charCodeAt(at) - zero;
const pairAt = (text: string, at: number): number => digitAt(text, at) * 10 + digitAt(text, at + 1);

/**
 * Parses a timestamp in UTC as the server writes it, `YYYY-MM-DD HH:MM:SS[.ffffff]+00`, by its digits, since `Date` takes
 * twice as long to parse a text; any other form is left to the driver.
 */
export function parseMoment(text: string): unknown {
  const { length } = text;
  const is_usual = length >= 22 && length <= 29 && text.endsWith('+00') && text.charCodeAt(10) === 32;
  const year = pairAt(text, 0) * 100 + pairAt(text, 2);
  // `Date.UTC` moves years below 100 into the twentieth century.
  if (!is_usual || year < 100) return parseOtherMoment(text);
  // A Date has millisecond precision: at most three digits of the fraction count, and the server omits zeros at its end.
  const digits = Math.min(length - 23, 3);
  let ms = 0;
  for (let place = 0; place < digits; place++) ms += digitAt(text, 20 + place) * 10 ** (2 - place);
  const [month, day] = [pairAt(text, 5), pairAt(text, 8)];
  return new Date(Date.UTC(year, month - 1, day, pairAt(text, 11), pairAt(text, 14), pairAt(text, 17), ms));
}

/** Most JSON values in rows are empty lists. */
const parseJson = (text: string): unknown => (text === '[]' ? [] : JSON.parse(text));

/**
 * Converts a value to the text form that the server reads. The driver formats a date in the machine's zone, part by
 * part; the server accepts UTC as well, which is cheaper.
 */
export function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return value;
  if (!(value instanceof Date)) return prepareValue(value);
  const text = Number.isNaN(value.getTime()) ? '' : value.toISOString();
  // Years beyond four digits get a sign, which the server does not accept.
  return /^\d/.test(text) ? text : prepareValue(value);
}

/** One execution. A batch sends it, passes it the server's messages, and settles it once. */
export class PreparedStatement {
  readonly name: string;
  readonly text: string;
  private readonly values: unknown[];
  private readonly found: object[] = [];
  private count = 0;
  private command = '';
  private shape: Shape | undefined;
  /** Whether its rows are described with this execution. */
  private is_described = false;
  private known: Map<string, Shape> | undefined;
  private parameters: unknown[] | undefined;
  private failed: { error: unknown } | undefined;
  private readonly done: (error: unknown, result?: Result) => void;

  /**
   * @param name the name of the text on every connection
   * @param done is called once, with an error or the result
   */
  constructor(name: string, { text, values }: Pick<Sql, 'text' | 'values'>, done: PreparedStatement['done']) {
    this.name = name;
    this.text = text;
    this.values = values;
    this.done = done;
  }

  /**
   * Converts the values to parameters.
   * @returns whether they could be converted; if not, the statement is settled with the error
   */
  encode(): boolean {
    try {
      this.parameters = this.values.map(toParameter);
      return true;
    } catch (error) {
      this.done(error);
      return false;
    }
  }

  /** Writes all of its messages except Sync. */
  write(connection: Connection): void {
    const { name, text, parameters = [] } = this;
    const { stream } = connection;
    if (!isParsed(connection, name)) prepare(connection, { name, text });
    this.known = shapesOf(connection);
    connection.bind({ statement: name, values: parameters });
    this.shape = this.known.get(name);
    this.is_described = this.shape === undefined;
    if (this.is_described) connection.describe({ type: 'P', name: '' });
    if (stream.writable) stream.write(execute);
  }

  addShape(fields: Field[]): void {
    this.remember(shapeOf(fields));
  }

  private remember(shape: Shape): void {
    this.shape = shape;
    this.known?.set(this.name, shape);
  }

  addRow(fields: (string | null)[]): void {
    if (this.failed) return;
    try {
      if (!this.shape) throw new Error('rows came that the connection has not described');
      this.found.push(rowOf(this.shape, fields));
    } catch (error) {
      this.failed = { error };
    }
  }

  /** @param tag the command tag of the server, such as `INSERT 0 1` */
  complete(tag: string): void {
    // A statement without rows was described as such, so that no message reports it here.
    if (this.is_described && !this.shape) this.remember({ names: [], parsers: [] });
    const end = tag.indexOf(' ');
    this.command = end < 0 ? tag : tag.slice(0, end);
    // The row count is the last part of the tag.
    this.count = end < 0 ? 0 : Number(tag.slice(tag.lastIndexOf(' ') + 1));
  }

  succeed(): void {
    if (this.failed) this.done(this.failed.error);
    else this.done(null, { rows: this.found, rowCount: this.count, command: this.command });
  }

  fail(error: unknown): void {
    this.done(this.failed?.error ?? error);
  }
}

function rowOf({ names, parsers }: Shape, fields: (string | null)[]): object {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < fields.length; at++) {
    const text = fields[at] as string | null;
    const parse = parsers[at];
    row[names[at] as string] = text === null || parse === undefined ? text : parse(text);
  }
  return row;
}

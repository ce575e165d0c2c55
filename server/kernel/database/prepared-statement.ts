/**
 * One run of a named prepared statement. It sends and reads less than the driver's own query: a connection describes the
 * rows of a statement once and not at each run.
 */
import type { Writable } from 'node:stream';
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import type { Sql } from 'sql-template-tag';

/** What a run answers. */
export type Result = { rows: object[]; rowCount: number; command: string };

type Parser = (text: string) => unknown;
export type Field = { name: string; dataTypeID: number };
/** What the rows of a statement are made of. A parser that is missing leaves the text as it is. */
type Shape = { names: string[]; parsers: (Parser | undefined)[] };

/** What of a connection of the driver is used for statements. */
export type Connection = {
  stream: Writable;
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  parse(statement: { name: string; text: string }): void;
  bind(run: { statement: string; values: unknown[] }): void;
  describe(portal: { type: 'P'; name: string }): void;
  sync(): void;
};

/** Execute of the unnamed portal without a limit (PostgreSQL, 54.7). */
const execute = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);

const text_types: ReadonlySet<number> = new Set([pg.types.builtins.TEXT, pg.types.builtins.VARCHAR, 19, 705]);

/** The shapes of the statements that a connection has described. */
const shapes = new WeakMap<Connection, Map<string, Shape>>();

function shapesOf(connection: Connection): Map<string, Shape> {
  let known = shapes.get(connection);
  if (!known) {
    known = new Map();
    shapes.set(connection, known);
  }
  return known;
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

/** A moment as the server writes it for UTC, `YYYY-MM-DD HH:MM:SS[.ffffff]+00`, and by the driver where it is written otherwise. */
export function parseMoment(text: string): unknown {
  const { length } = text;
  const is_usual = length >= 22 && length <= 29 && text.endsWith('+00') && text.charCodeAt(10) === 32;
  if (!is_usual) return parseOtherMoment(text);
  // Milliseconds are all that a Date holds.
  return new Date(`${text.slice(0, 10)}T${text.slice(11, Math.min(length - 3, 23))}Z`);
}

/** Most JSON of a row is an empty list. */
const parseJson = (text: string): unknown => (text === '[]' ? [] : JSON.parse(text));

/**
 * A value as the server reads it in text. The driver writes a moment by the machine's zone, part by part; the server takes
 * UTC as well.
 */
export function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return value;
  if (!(value instanceof Date)) return prepareValue(value);
  const text = Number.isNaN(value.getTime()) ? '' : value.toISOString();
  // Years beyond four digits have a sign in front, which the server does not know.
  return /^\d/.test(text) ? text : prepareValue(value);
}

/** One run. A batch sends it, hands it what the server answers, and settles it once. */
export class PreparedStatement {
  readonly name: string;
  readonly text: string;
  private readonly values: unknown[];
  private readonly found: object[] = [];
  private count = 0;
  private command = '';
  private shape: Shape | undefined;
  private known: Map<string, Shape> | undefined;
  private parameters: unknown[] | undefined;
  private failed: { error: unknown } | undefined;
  private readonly done: (error: unknown, result?: Result) => void;

  /**
   * @param name names the text on every connection
   * @param done is called once, with an error or the result
   */
  constructor(name: string, { text, values }: Pick<Sql, 'text' | 'values'>, done: PreparedStatement['done']) {
    this.name = name;
    this.text = text;
    this.values = values;
    this.done = done;
  }

  /** Makes the values into what the server reads. @returns whether that could be done; where not, it is settled */
  encode(): boolean {
    try {
      this.parameters = this.values.map(toParameter);
      return true;
    } catch (error) {
      this.done(error);
      return false;
    }
  }

  /** Writes all its messages but Sync. */
  write(connection: Connection): void {
    const { name, text, parameters = [] } = this;
    const { stream, parsedStatements, submittedNamedStatements } = connection;
    this.known = shapesOf(connection);
    if (parsedStatements[name] === undefined && submittedNamedStatements[name] === undefined) {
      connection.parse({ name, text });
      submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values: parameters });
    if (!this.known.has(name)) connection.describe({ type: 'P', name: '' });
    if (stream.writable) stream.write(execute);
  }

  addShape(fields: Field[]): void {
    this.known?.set(this.name, shapeOf(fields));
  }

  addRow(fields: (string | null)[]): void {
    if (this.failed) return;
    this.shape ??= this.known?.get(this.name);
    try {
      if (!this.shape) throw new Error('rows came that the connection has not described');
      this.found.push(rowOf(this.shape, fields));
    } catch (error) {
      this.failed = { error };
    }
  }

  /** @param tag what the server says was done, such as `INSERT 0 1` */
  complete(tag: string): void {
    // What answers no rows is described as such, without a message for it here.
    if (!this.known?.has(this.name)) this.known?.set(this.name, { names: [], parsers: [] });
    const end = tag.indexOf(' ');
    this.command = end < 0 ? tag : tag.slice(0, end);
    // The number of rows is the last word.
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

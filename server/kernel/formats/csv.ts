/** Comma-separated values (RFC 4180) as programs actually write them: with commas, semicolons or tabs. */
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { default_limits } from '../load/limits.ts';

/** An unreadable table. Its message completes a sentence about the file. */
export class TableError extends Error {}

/** Characters parsed before yielding to other work. */
const slice_length = 64 * 1024;
/** The maximum length of a record, in characters. */
const max_record = 1024 * 1024;

/**
 * Reads the records of a table, headings included, each with as many cells as it has. Blank lines are skipped.
 * @throws TableError when a quote is not closed, a record has no end, or columns or values exceed the import limits
 */
export async function* readTable(text: string): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter: delimiterOf(text),
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: max_record,
  });
  const source = Readable.from(slicesOf(text));
  source.pipe(parser);
  try {
    for await (const record of parser) yield requireBounded(record as string[], parser.info.records);
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const { lines } = cause as CsvError & { lines?: unknown };
    if (typeof lines !== 'number') throw new TableError('is not a table: a value is not closed or too long', { cause });
    throw new TableError(`is not a table: a value in line ${lines} is not closed or too long`, { cause });
  } finally {
    source.destroy();
  }
}

function requireBounded(record: string[], row: number): string[] {
  const { import_columns, import_value_length } = default_limits;
  if (record.length > import_columns) throw new TableError(`has more than ${import_columns} columns in row ${row}`);
  if (record.some(({ length }) => length > import_value_length))
    throw new TableError(`has a value of more than ${import_value_length} characters in row ${row}`);
  return record;
}

function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += slice_length) yield text.slice(at, at + slice_length);
}

/** The delimiter: the one that occurs most often in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const first = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const count = (mark: string) => first.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

/** Comma-separated values (RFC 4180), as programs write them: with commas, semicolons or tabs. */
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { default_limits } from '../load/limits.ts';

/** A table that cannot be read. Its message is the end of a sentence about it. */
export class TableError extends Error {}

/** How much is read at once, in characters: others have their turn in between. */
const slice_length = 64 * 1024;
/** Of one record, in characters. */
const max_record = 1024 * 1024;

/**
 * Reads the records of a table, its headings among them, each as long as it is. Blank lines are none.
 * @throws TableError when a quote is not closed, a record has no end, or there are more columns or longer values than
 *   imports may have
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

/** What parts the headings: whichever stands most often in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const first = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const count = (mark: string) => first.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

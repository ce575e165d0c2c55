/**
 * The archive of a backup: gzip (RFC 1952) over lines of JSON. The first line is the header, the last has the totals,
 * so that a truncated file is detected before any of it is used.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** The version of the archive format; archives of another one are refused. */
export const format_version = 1;

/** The first entry: the names of the migrations of the archived database, and when it was made (ISO 8601). */
export type Header = { kind: 'asterism'; version: number; migrations: string[]; at: string };
/** The totals of an archive: rows, queued jobs, files, and bytes of all files. */
export type Counts = { rows: number; jobs: number; files: number; bytes: number };

/**
 * One entry. The rows of a table are stored as the text written by PostgreSQL, since its numbers may exceed
 * JavaScript's; the chunks of a file follow its entry, `size_bytes` in all.
 */
export type Entry =
  | Header
  | { kind: 'rows'; table: string; count: number; text: string }
  | { kind: 'jobs'; count: number; text: string }
  | { kind: 'file'; key: string; size_bytes: number }
  | { kind: 'part'; base64: string }
  | ({ kind: 'end' } & Counts);

/** An unusable archive, explained in one sentence. */
export class ArchiveError extends Error {}

const torn = 'The archive is cut off or damaged: nothing was restored. Take another copy of it.';

/** Writes entries to a file that only its owner can read, atomically. @throws when the file exists */
export async function writeArchive(file: string, entries: AsyncIterable<Entry>): Promise<void> {
  const unfinished = `${file}.unfinished`;
  async function* lines() {
    for await (const entry of entries) yield lineOf(entry);
  }
  try {
    const sink = createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(Readable.from(lines()), createGzip(), sink);
    await rename(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(unfinished, { force: true });
    throw error;
  }
}

function lineOf(entry: Entry): string {
  if (!('text' in entry)) return `${JSON.stringify(entry)}\n`;
  const { text, ...rest } = entry;
  return `${JSON.stringify(rest)}\n${text}\n`;
}

/** Reads the entries of an archive in order. @throws ArchiveError when it is truncated or not an archive */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const source = createReadStream(file);
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  let pending: Extract<Entry, { text: string }> | undefined;
  try {
    for await (const line of splitLines(unpacked)) {
      if (pending) {
        yield { ...pending, text: line };
        pending = undefined;
        continue;
      }
      const entry = JSON.parse(line) as Entry;
      if (entry.kind === 'rows' || entry.kind === 'jobs') pending = entry;
      else yield entry;
    }
  } catch (error) {
    const { code = '', name } = error as NodeJS.ErrnoException;
    if (code.startsWith('Z_') || name === 'SyntaxError') throw new ArchiveError(torn, { cause: error });
    throw error;
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

async function* splitLines(stream: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end));
      yield Buffer.concat(parts).toString('utf8');
      parts = [];
      from = end + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (parts.length > 0) throw new ArchiveError(torn);
}

/**
 * Reads an archive to its end and verifies its totals.
 * @throws ArchiveError when it is not an archive, of another format, or incomplete
 */
export async function checkArchive(file: string): Promise<{ header: Header; counts: Counts }> {
  const counts: Counts = { rows: 0, jobs: 0, files: 0, bytes: 0 };
  let header: Header | undefined;
  let end: Counts | undefined;
  for await (const entry of readArchive(file)) {
    if (!header) {
      if (entry.kind !== 'asterism') throw new ArchiveError('This file is no backup of Asterism.');
      if (entry.version !== format_version)
        throw new ArchiveError(`The archive has format ${entry.version}; this release reads ${format_version}.`);
      header = entry;
    } else if (end) throw new ArchiveError(torn);
    else if (entry.kind === 'rows') counts.rows += entry.count;
    else if (entry.kind === 'jobs') counts.jobs += entry.count;
    else if (entry.kind === 'file') counts.files += 1;
    else if (entry.kind === 'part') counts.bytes += Buffer.byteLength(entry.base64, 'base64');
    else if (entry.kind === 'end') end = { rows: entry.rows, jobs: entry.jobs, files: entry.files, bytes: entry.bytes };
  }
  if (!header || !end || JSON.stringify(end) !== JSON.stringify(counts)) throw new ArchiveError(torn);
  return { header, counts };
}

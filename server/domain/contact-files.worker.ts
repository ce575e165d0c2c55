/** Reads one file of contacts in a thread of its own: it is given the bytes, and answers a FileReading. */
import { parentPort, workerData } from 'node:worker_threads';
import { ApiError } from '../kernel/errors.ts';
import { acceptRow, parseContactFile, type FileReading } from './contact-files.ts';

const { bytes, region } = workerData as { bytes: Uint8Array; region: string | undefined };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(await read());

async function read(): Promise<FileReading> {
  try {
    const { source, rows } = await parseContactFile(bytes);
    return { source, rows: rows.map((row, at) => acceptRow(row, at, region)) };
  } catch (error) {
    if (error instanceof ApiError && error.fields) return { refused: error.fields };
    throw error;
  }
}

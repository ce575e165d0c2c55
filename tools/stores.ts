/** Opens the stores of backup and restore by the configuration, and closes them again. */
import { join } from 'node:path';
import type { Counts } from '../server/app/archive.ts';
import { requireNoService, type Stores } from '../server/app/backup.ts';
import { readConfig, type Config } from '../server/app/config/config.ts';
import { openBlobs, openDatabase } from '../server/app/engines.ts';

/** Runs `work` while no service is running; a failure is one sentence and the exit code 1. */
export async function runOnStores(
  usage: string,
  usable: boolean,
  work: (stores: Stores, config: Config) => Promise<void>,
): Promise<void> {
  try {
    if (!usable) throw new Error(usage);
    const config = readConfig(process.env, join(import.meta.dirname, '..'));
    // An embedded database is locked by its owner, so that this fails while the service is running.
    const database = await openDatabase(config, (line) => console.error(line));
    try {
      await requireNoService(database.url);
      const blobs = await openBlobs(config);
      await work({ database_url: database.url, blobs }, config).finally(() => blobs.close());
    } finally {
      await database.close();
    }
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

/** A summary of an archive's contents, for people. */
export function describeCounts({ rows, jobs, files, bytes }: Counts): string {
  return `${rows} rows, ${jobs} waiting jobs and ${files} files (${bytes} bytes)`;
}

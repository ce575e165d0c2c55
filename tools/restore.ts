/**
 * npm run restore FILE [-- --force]: restores an archive into an empty database; with --force it replaces existing
 * data.
 */
import { resolve } from 'node:path';
import { restore } from '../server/app/backup.ts';
import { describeCounts, runOnStores } from './stores.ts';

const force = process.argv.includes('--force');
const files = process.argv.slice(2).filter((argument) => argument !== '--force');
const usable = files.length === 1 && !files[0]?.startsWith('--');
await runOnStores('Usage: npm run restore FILE [-- --force]', usable, async (stores) => {
  const source = resolve(files[0] ?? '');
  console.log(`Restored ${describeCounts(await restore(stores, source, { force }))} from ${source}.`);
});

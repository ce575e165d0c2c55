/** npm run backup FILE: writes the database and all files into one archive. The service must be stopped. */
import { join, resolve } from 'node:path';
import { backUp } from '../server/app/backup.ts';
import { createClock } from '../server/kernel/time.ts';
import { describeCounts, runOnStores } from './stores.ts';

const [file, ...rest] = process.argv.slice(2);
await runOnStores('Usage: npm run backup FILE', file !== undefined && rest.length === 0, async (stores, config) => {
  const target = resolve(file ?? '');
  const counts = await backUp(stores, target, createClock().now());
  console.log(`Wrote ${describeCounts(counts)} to ${target}.`);
  const key = config.service_key ? 'SERVICE_KEY' : join(config.data_dir, 'keys', 'service.key');
  console.log(`Keep ${key} too, in another place: the archive does not hold it.`);
});

/** The embedded server that a running service has started: for tools that work beside it. */
import { existsSync, realpathSync } from 'node:fs';
import { locateCluster } from './embedded.account.ts';
import { urlOf } from './embedded.address.ts';
import { isServerOf, readPidFile } from './embedded.processes.ts';
import type { Database } from '../ports.ts';

/** The server that runs on a data folder; undefined while there is none. Closing it does not stop the server. */
export function findRunningDatabase(data_dir: string): Database | undefined {
  if (!existsSync(data_dir)) return undefined;
  const { cluster_dir } = locateCluster(realpathSync(data_dir));
  const file = readPidFile(cluster_dir);
  if (file?.status !== 'ready' || !isServerOf(file.pid, cluster_dir)) return undefined;
  return { url: urlOf(file.socket_dir), kind: 'embedded', close: () => Promise.resolve() };
}

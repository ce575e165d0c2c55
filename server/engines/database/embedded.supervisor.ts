/** Supervision of the embedded server: restarts it when it exits unexpectedly or is stuck. */
import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { clearStalePidFile } from './embedded.processes.ts';
import { refusesConnections } from './embedded.query.ts';
import { hasServerProcesses, watchForStuck } from './embedded.stuck.ts';
import type { Cluster } from './embedded.cluster.ts';
import { STOP_TIMEOUT_MS, type RunningServer, launch, stopServer } from './embedded.server.ts';

/** Restarts the server when it exits unexpectedly (out of memory, disk temporarily full) or is stuck, until stopped. */
export function supervise(cluster: Cluster, first: RunningServer): { stop(): Promise<void> } {
  let current = first;
  let restarting: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  let stopWatching = (): void => undefined;
  const watch = ({ pid, socket_dir, child }: RunningServer): void => {
    if (!child) return;
    stopWatching = watchForStuck({
      hasServerProcesses: () => hasServerProcesses(pid),
      isRefusing: () => refusesConnections(socket_dir),
      onStuck() {
        cluster.log('The database server waits for a process that has ended; it is restarted.');
        child.kill('SIGQUIT');
      },
    });
    child.once('exit', () => {
      stopWatching();
      if (!stopping.signal.aborted) restarting = restart();
    });
  };
  const restart = async (): Promise<void> => {
    for (let pause_ms = 100; !stopping.signal.aborted; pause_ms = Math.min(pause_ms * 2, 30_000)) {
      cluster.log('The database server exited unexpectedly and is restarted.');
      try {
        await clearStalePidFile(cluster.cluster_dir, first.socket_dir, STOP_TIMEOUT_MS);
        current = await launch(cluster, first.socket_dir);
        watch(current);
        return;
      } catch (error) {
        cluster.log((error as Error).message);
        await delay(pause_ms, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  watch(first);
  return {
    async stop() {
      stopping.abort();
      await restarting;
      stopWatching();
      await stopServer(current.pid);
      if (current.socket_dir !== cluster.cluster_dir && basename(current.socket_dir).startsWith('asterism-')) {
        rmSync(current.socket_dir, { recursive: true, force: true });
      }
    },
  };
}

/**
 * Processes that run one service after the other. A new process spends two thirds of the processor time of a start on
 * loading the code, and runs its first requests slowly, which is more than most files of tests need for all of theirs.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { FromHost, ToHost } from './service-host.ts';

export type ServiceHost = {
  process: ChildProcess;
  /** Starts a service with this environment; resolves once it is ready. */
  start(environment: NodeJS.ProcessEnv): Promise<void>;
  /** Closes the service; the process is used again. */
  stop(): Promise<void>;
};

/** Those of this worker that run no service. */
const idle_hosts: ServiceHost[] = [];

/** A process without a service, which ends with this worker. */
export async function acquireHost(): Promise<ServiceHost> {
  for (let host = idle_hosts.pop(); host; host = idle_hosts.pop()) if (host.process.connected) return host;
  const child = fork(join(import.meta.dirname, 'service-host.ts'), {
    execArgv: [],
    cwd: join(import.meta.dirname, '..', '..', '..'),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // It keeps no worker that has ended its tests.
  child.unref();
  child.channel?.unref();
  const request = async (message: ToHost) => {
    const { error } = await new Promise<FromHost>((resolve, reject) => {
      const onExit = () => reject(new Error('the process of the service has ended'));
      child.once('exit', onExit);
      child.once('message', (answer) => {
        child.off('exit', onExit);
        resolve(answer as FromHost);
      });
      child.send(message);
    });
    if (error !== undefined) throw new Error(error);
  };
  const host: ServiceHost = {
    process: child,
    start: (environment) => request({ environment }),
    async stop() {
      await request({ environment: null });
      idle_hosts.push(host);
    },
  };
  return host;
}

/** Single statements on the embedded server, each on a separate connection to its database `postgres`. */
import { urlOf } from './embedded.address.ts';

/** PostgreSQL's code for a server that accepts no connections at the moment, as while it starts (`cannot_connect_now`). */
const CANNOT_CONNECT_NOW = '57P03';

/** Runs a statement. @throws the driver's error */
export async function run(socket_dir: string, sql: string): Promise<{ rows: unknown[] }> {
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: urlOf(socket_dir, 'postgres'), connectionTimeoutMillis: 10_000 });
  // A connection that breaks while idle emits an error event, which would end the process without a listener.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.query(sql);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether the server answers a statement. */
export async function acceptsConnections(socket_dir: string): Promise<boolean> {
  return run(socket_dir, 'SELECT 1').then(
    () => true,
    () => false,
  );
}

/** Whether the server answers that it accepts no connections at the moment. */
export async function refusesConnections(socket_dir: string): Promise<boolean> {
  return run(socket_dir, 'SELECT 1').then(
    () => false,
    (error: { code?: string }) => error.code === CANNOT_CONNECT_NOW,
  );
}

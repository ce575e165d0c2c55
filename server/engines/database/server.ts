/** An external PostgreSQL server. */
import type { Database } from '../ports.ts';

/** PostgreSQL 15's number as `server_version_num` writes it. */
const OLDEST_VERSION_NUM = 150_000;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Checks that a PostgreSQL server answers at `url` and is version 15 or newer.
 * @throws an error whose message is one clear sentence without the password.
 */
export async function connectDatabase(url: string): Promise<Database> {
  const { Client } = (await import('pg')).default;
  let version: { name: string; number: number };
  try {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    // A connection that breaks while idle emits an error event, which would end the process without a listener.
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ name: string; number: number }>(
        `SELECT current_setting('server_version') AS name, current_setting('server_version_num')::int AS number`,
      );
      version = rows[0] ?? { name: 'unknown', number: 0 };
    } finally {
      await client.end().catch(() => undefined);
    }
  } catch (cause) {
    throw new Error(`PostgreSQL does not answer at ${redact(url)} (${reasonOf(cause)}): check DATABASE_URL.`, {
      cause,
    });
  }
  if (version.number < OLDEST_VERSION_NUM) {
    throw new Error(`PostgreSQL ${version.name} at ${redact(url)} is too old: version 15 or newer is needed.`);
  }
  return { url, kind: 'server', close: () => Promise.resolve() };
}

/** Several addresses tried at once cause an AggregateError that has no message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  return message || code || 'no reason given';
}

function redact(url: string): string {
  try {
    const parsed = new URL(url);
    return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
  } catch {
    return 'an address that is not a URL';
  }
}

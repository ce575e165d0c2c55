/**
 * Health check of the database: pings it once a second on a separate connection. A database that hangs without closing
 * its connections reports no error, so that every request would wait until it recovers.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';

/** The times of the health check. */
export type WatchTimes = {
  /** The interval between pings, in ms. */
  every_ms: number;
  /** A ping that takes longer means that the database hangs: new work is refused. */
  stalled_after_ms: number;
  /** A ping that takes longer makes all waiting statements fail. */
  given_up_after_ms: number;
};

/** The running health check. */
export type DatabaseWatch = {
  isStalled(): boolean;
  close(): Promise<void>;
};

/** A connection that is opened on demand. */
function createProbe(url: string) {
  let client: pg.Client | undefined;
  return {
    /** Resolves when the database has answered. */
    async ask(): Promise<void> {
      if (client) {
        await client.query('select 1');
        return;
      }
      const opened = new pg.Client({ connectionString: url, application_name: 'asterism watch', keepAlive: true });
      // A connection that breaks while idle emits an error event, which would end the process if nothing listened for
      // it.
      opened.on('error', () => {
        if (client === opened) client = undefined;
      });
      client = opened;
      await opened.connect();
    },
    /** Closes the connection; the next ping opens another. */
    cut(): void {
      if (client) cutConnection(client);
      client = undefined;
    },
    end: async () => client?.end().catch(() => undefined),
  };
}

/** Starts the health check. @param onGivenUp is called each time that the database is given up */
export function watchDatabase(url: string, times: WatchTimes, onGivenUp: () => void): DatabaseWatch {
  const probe = createProbe(url);
  let stalled = false;
  let closed = false;
  let timer = setTimeout(runCheck, times.every_ms).unref();

  function runCheck(): void {
    const late = setTimeout(noteLate, times.stalled_after_ms).unref();
    const given_up = setTimeout(giveUp, times.given_up_after_ms).unref();
    let settled = false;

    /** Pending input is read first: this process may be the slow one, not the database. */
    async function noteLate(): Promise<void> {
      await nextTurn();
      await nextTurn();
      if (!settled) stalled = true;
    }

    function giveUp(): void {
      settle();
      probe.cut();
      onGivenUp();
    }

    function settle(): void {
      settled = true;
      clearTimeout(late);
      clearTimeout(given_up);
      if (!closed) timer = setTimeout(runCheck, times.every_ms).unref();
    }

    probe
      .ask()
      // An error counts as an answer too: the next statement will report it.
      .catch(() => settled || probe.cut())
      .finally(() => {
        if (settled) return;
        stalled = false;
        settle();
      });
  }

  return {
    isStalled: () => stalled,
    async close() {
      closed = true;
      clearTimeout(timer);
      if (stalled) return probe.cut();
      const cut = setTimeout(probe.cut, times.stalled_after_ms);
      await probe.end();
      clearTimeout(cut);
    },
  };
}

/** Destroys a connection without a handshake: pending statements fail at once, as if the server had exited. */
export function cutConnection(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

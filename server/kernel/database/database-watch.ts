/**
 * Whether the database answers: a connection of its own is asked once a second. A database that stands still without
 * closing its connections tells nobody, and everything would wait for it as long as it does.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';

export type WatchTimes = {
  /** How often it is asked, in ms. */
  every_ms: number;
  /** An answer that takes longer means that the database stands still: new work is refused. */
  stalled_after_ms: number;
  /** One that takes longer ends what waits for it. */
  given_up_after_ms: number;
};

export type DatabaseWatch = {
  isStalled(): boolean;
  close(): Promise<void>;
};

/** A connection that is made when it is needed. */
function createProbe(url: string) {
  let client: pg.Client | undefined;
  return {
    /** Resolves once the database has answered. */
    async ask(): Promise<void> {
      if (client) {
        await client.query('select 1');
        return;
      }
      const opened = new pg.Client({ connectionString: url, application_name: 'asterism watch', keepAlive: true });
      // A connection that breaks while idle reports it as an event, which without a listener would end the process.
      opened.on('error', () => {
        if (client === opened) client = undefined;
      });
      client = opened;
      await opened.connect();
    },
    /** Cuts the connection; the next question makes another. */
    cut(): void {
      if (client) cutConnection(client);
      client = undefined;
    },
    end: async () => client?.end().catch(() => undefined),
  };
}

/** Begins to watch. @param onGivenUp is called each time that an answer is given up */
export function watchDatabase(url: string, times: WatchTimes, onGivenUp: () => void): DatabaseWatch {
  const probe = createProbe(url);
  let stalled = false;
  let closed = false;
  let timer = setTimeout(turn, times.every_ms).unref();

  function turn(): void {
    const late = setTimeout(noteLate, times.stalled_after_ms).unref();
    const given_up = setTimeout(giveUp, times.given_up_after_ms).unref();
    let settled = false;

    /** What has come meanwhile is read first: it may be this process that was late. */
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
      if (!closed) timer = setTimeout(turn, times.every_ms).unref();
    }

    probe
      .ask()
      // A refusal is an answer too; what is wrong then is told to whoever sends a statement.
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

/** Cuts a connection without a word: all that waits for it fails at once, as when the server had gone. */
export function cutConnection(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

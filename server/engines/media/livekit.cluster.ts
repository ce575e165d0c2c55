/**
 * Detects participants of dead nodes in a LiveKit cluster. Its participant list is read from Redis, where a dead node
 * removes nothing; but only live nodes answer requests about their participants.
 */

/** The time limit of a check, which a live node answers in milliseconds. LiveKit gives up after 3 s. */
const answer_ms = 500;
/** How many missing participants are remembered. */
const gone_max = 10_000;

/**
 * Remembers participants for whom no node answers, so that they do not delay further checks. Every participant is
 * checked again each time: one who exists after all is recognised at the next check.
 * @returns a function that checks a participant, by a key for one session of theirs; rejects when `ask` does
 */
export function createPresenceCheck(): (key: string, ask: () => Promise<boolean>) => Promise<boolean> {
  const gone = new Set<string>();
  const asking = new Map<string, Promise<boolean>>();

  function begin(key: string, ask: () => Promise<boolean>): Promise<boolean> {
    const answer = ask()
      .then((is_there) => {
        if (is_there) gone.delete(key);
        else gone.add(key);
        for (const oldest of gone) if (gone.size > gone_max) gone.delete(oldest);
        return is_there;
      })
      .finally(() => asking.delete(key));
    // It may fail when it is no longer awaited; the next check repeats it.
    answer.catch(() => undefined);
    asking.set(key, answer);
    return answer;
  }

  return async (key, ask) => {
    const answer = asking.get(key) ?? begin(key, ask);
    if (gone.has(key)) return false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(true), answer_ms);
    });
    return Promise.race([answer, late]).finally(() => clearTimeout(timer));
  };
}

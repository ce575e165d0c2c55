/**
 * Who is still there in a LiveKit cluster. Its list of participants is what its nodes wrote into Redis, and a node that
 * dies takes nothing back; a living one answers for its participants, while about others nobody does.
 */

/** How long a look waits for an answer, which a living node gives in milliseconds. LiveKit gives up after 3 s. */
const answer_ms = 500;
/** How many of the gone are remembered. */
const gone_max = 10_000;

/**
 * Remembers about whom no node answers, so that one of them costs a look nothing. Everybody is asked about anew at each
 * look: whoever is there after all is believed at the next.
 * @returns asks whether somebody is there, by a key of one stay of theirs; rejects as `ask` does
 */
export function createRollCall(): (key: string, ask: () => Promise<boolean>) => Promise<boolean> {
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
    // Nobody may be waiting for it any more when it fails; the next look asks again.
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

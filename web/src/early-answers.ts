/**
 * The answers to the first requests of a page of a session, which the script of `index.html` sends before the code of
 * the client is loaded.
 */
declare global {
  var early: { authorization: string; answers: Map<string, Promise<Response>> } | undefined;
}

/** Fetches; the first GET of an address has its early answer, if that is for the same session. */
export const fetchEarly: typeof fetch = (address, init) => {
  if ((init?.method ?? 'GET') !== 'GET') return fetch(address, init);
  const { authorization, answers } = globalThis.early ?? {};
  const answer = answers?.get(String(address));
  // Once only: when it has failed, or is out of date, it is requested again.
  answers?.delete(String(address));
  const headers = init?.headers as { authorization?: string } | undefined;
  return answer && authorization === headers?.authorization ? answer : fetch(address, init);
};

/**
 * Reads what has come already, before the first page is rendered: it is then rendered once, with it.
 * @param reads what reads the answer of each address
 */
export async function readEarly(reads: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  // An answer that is still to come loses against what is known already; the page itself says what could not be read.
  await Promise.allSettled(
    Object.entries(reads).map(
      async ([address, read]) =>
        (await Promise.race([globalThis.early?.answers.get(address), undefined]))?.ok && read(),
    ),
  );
}

/** Forgets the answers that the page had no use for. */
export function dropEarlyAnswers(): void {
  globalThis.early = undefined;
}

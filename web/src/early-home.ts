/**
 * `GET /home`, the first request of every page of a session, as it is sent before the code of the client is loaded: by
 * the script of `index.html`.
 */
declare global {
  var early_home: { authorization: string; answer: Promise<Response> } | undefined;
}

/** Fetches; the first `GET /home` has the early answer, if that is for the same session. */
export const fetchWithEarlyHome: typeof fetch = (address, init) => {
  const early = address === '/v1/home' ? globalThis.early_home : undefined;
  // Once only: when it has failed, or is out of date, home is requested again.
  if (early) globalThis.early_home = undefined;
  const headers = init?.headers as { authorization?: string } | undefined;
  return early && early.authorization === headers?.authorization ? early.answer : fetch(address, init);
};

/** `GET /home` as the first request of every page: its reply contains the counts and the call that the frame shows. */
import type { Reply } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';

export type Home = Reply<'home', 'getHome'>;

const first_requests = new WeakMap<QueryClient, Promise<Home | undefined>>();

/** Registers the first request; `readFromHome` waits until it has succeeded or failed. */
export function registerFirstRequest(queries: QueryClient, answer: Promise<Home | undefined>): void {
  const settled = answer.catch(() => undefined).finally(() => first_requests.delete(queries));
  first_requests.set(queries, settled);
}

/** Reads one part of the home page: from the first request while that is pending, otherwise with a separate request. */
export async function readFromHome<T>(
  queries: QueryClient,
  pick: (home: Home) => T,
  read: () => Promise<T>,
): Promise<T> {
  const home = await first_requests.get(queries);
  return home === undefined ? read() : pick(home);
}

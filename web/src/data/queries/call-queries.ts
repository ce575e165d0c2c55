import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '@asterism/sdk';
import type { Call } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';
import { hasCode } from '../../ui/problems/problem.ts';
import { readFromHome } from '../home-start.ts';
import { localizeNames } from '../../i18n/default-names.ts';

async function readActiveCall(signal: AbortSignal): Promise<Call | null> {
  try {
    return await sdk.calls.getActiveCall({ signal });
  } catch (error) {
    if (hasCode(error, 'not_found')) return null;
    throw error;
  }
}

/** The call that the reader is in, or null. */
export const activeCallQuery = queryOptions({
  queryKey: ['active-call'],
  queryFn: async ({ client, signal }): Promise<Call | null> => {
    const call = await readFromHome(
      client,
      ({ active_call }) => active_call,
      () => readActiveCall(signal),
    );
    return call && localizeNames(call);
  },
});

/**
 * The join code of the call that was ringing already when this page was opened, which the stream does not report. The call
 * itself is cached where the stream puts calls, unless the stream has brought a newer one meanwhile.
 */
export const ringingCallQuery = queryOptions({
  queryKey: ['ringing-call'],
  queryFn: async ({ client, signal }): Promise<string | null> => {
    const [ringing] = (await sdk.calls.listRingingCalls({ signal })).items;
    if (ringing === undefined) return null;
    const call = localizeNames(ringing);
    client.setQueryData(callQuery(call.join_code).queryKey, (cached) => cached ?? call);
    return call.join_code;
  },
});

/** Guests waiting for admission to calls that the reader hosts. */
export const guestsKey = ['call-guests'] as const;

/** The participants whom the reader has rung from this page. */
export const ownRingsKey = ['own-rings'] as const;

/** The contacts and tags that can be added to a call. */
export const callTargetsKey = (q: string) => ['call-targets', q] as const;

/** All calls that are cached. */
export const callKey = ['call'] as const;

/** One call by its join code. It is kept when it has ended, since its page says why the reader is no longer in it. */
export function callQuery(join_code: string) {
  return queryOptions({
    queryKey: [...callKey, join_code],
    queryFn: async ({ client, queryKey, signal }): Promise<Call> => {
      const countUpdates = () => client.getQueryState(queryKey)?.dataUpdateCount;
      const before = countUpdates();
      const call = await sdk.calls.getCall({ path: { join_code }, signal });
      // An event that came meanwhile may be newer than the answer, and whatever is newer than the event has one too.
      const cached = countUpdates() === before ? undefined : client.getQueryData<Call>(queryKey);
      return cached ?? localizeNames(call);
    },
    staleTime: 15_000,
    meta: { keeps_refused: true },
  });
}

/** Whether a call was refused because nobody is in it yet, and the reader may start it. */
export function mayStart(error: unknown): boolean {
  return error instanceof ApiError && error.details['may_start'] === true;
}

/** What a call belongs to in which nobody is yet: a tag, a group or an event. */
export function callTitleOf(error: unknown): string | undefined {
  const title = error instanceof ApiError ? error.details['call_title'] : undefined;
  return typeof title === 'string' ? title : undefined;
}

/** The preview of a call for people without an account, if it admits guests. */
export function previewQuery(join_code: string) {
  return queryOptions({
    queryKey: ['call-preview', join_code],
    queryFn: ({ signal }) => sdk.callGuests.getCallPreview({ path: { join_code }, signal }),
  });
}

/** Caches a call from an event. */
export function cacheCall(queries: QueryClient, call: Call): void {
  queries.setQueryData(callQuery(call.join_code).queryKey, localizeNames(call));
  void queries.invalidateQueries({ queryKey: activeCallQuery.queryKey });
}

/** Who called: the host, or for the owner of a widget its guest; undefined if they have left. */
export function callerOf(call: Call, user_id: string | undefined): Call['participants'][number] | undefined {
  const is_own = call.host.id === user_id;
  return call.participants.find((one) => (is_own ? one.guest !== null : one.user?.id === call.host.id));
}

/** Whether a participant is the reader: an account or a guest. */
export const isReader = ({ user, guest }: Call['participants'][number], reader_id: string | undefined): boolean =>
  reader_id !== undefined && (user?.id ?? guest?.id) === reader_id;

/** The reader's participant in a call. */
export function ownParticipant(call: Call, reader_id: string | undefined) {
  return call.participants.find((one) => isReader(one, reader_id));
}

/** The reader's role in a call. */
export type CallRole = Call['participants'][number]['role'];

/** The role of an account in a call; that of a guest for everybody else. */
export function roleIn(call: Call, user_id: string | undefined): CallRole {
  if (call.host.id === user_id) return 'host';
  return ownParticipant(call, user_id)?.role === 'co_host' ? 'co_host' : 'guest';
}

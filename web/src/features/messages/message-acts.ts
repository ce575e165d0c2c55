import type { DirectMessage, Input, Thread } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { isRefused } from '../../queries.ts';
import { describeProblem } from '../../ui/problem.ts';
import { showToast } from '../../ui/toast.tsx';
import { keepMessage, keepThread, outgoingQuery, recount, threadQuery, threadsKey } from './message-queries.ts';
import type { Outgoing } from './message-queries.ts';

/** Opens the thread with somebody and goes there. */
export function useOpenThread() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (whom: Input<'dm', 'openThread'>['body']) => sdk.dm.openThread({ body: whom }),
    onSuccess: (thread) => {
      keepThread(queries, thread);
      void navigate({ to: '/messages/$threadId', params: { threadId: thread.id } });
    },
    onError: (error) => showToast(describeProblem(error)),
  });
}

/** Answers a request; where it was answered elsewhere meanwhile, what stands is fetched. */
export function useAnswer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ thread, word }: { thread: Thread; word: 'accept' | 'decline' }) => {
      const path = { thread_id: thread.id };
      return word === 'accept' ? sdk.dm.acceptThread({ path }) : sdk.dm.declineThread({ path });
    },
    onSuccess: (thread) => keepThread(queries, thread),
    onError: (error, { thread }) => {
      showToast(describeProblem(error));
      void queries.invalidateQueries({ queryKey: threadQuery(thread.id).queryKey });
      void queries.invalidateQueries({ queryKey: threadsKey });
    },
  });
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function changeOutgoing(
  queries: QueryClient,
  thread_id: string,
  change: (all: readonly Outgoing[]) => readonly Outgoing[],
): void {
  queries.setQueryData(outgoingQuery(thread_id).queryKey, (all = []) => change(all));
}

/**
 * Sends messages of a thread one after the other. Each is shown at once; one that the service did not take stays where it
 * can be sent again, and is one message however often it is sent.
 */
export function useSend(thread_id: string) {
  const queries = useQueryClient();
  const post = useMutation({
    scope: { id: `thread ${thread_id}` },
    mutationFn: ({ key, body, media }: Outgoing) =>
      sdk.dm.postThreadMessage({
        path: { thread_id },
        body: {
          ...(body === '' ? {} : { body }),
          ...(media.length === 0 ? {} : { media: media.map(({ id }) => id) }),
        },
        idempotency_key: key,
      }),
    onSuccess: (message, { key }) => {
      changeOutgoing(queries, thread_id, (all) => all.filter((one) => one.key !== key));
      keepMessage(queries, message, 0);
    },
    onError: (error, { key }) => {
      // What was refused is refused again under its key; what got lost on the way is not doubled by it.
      const next = isRefused(error) ? newKey() : key;
      const problem = describeProblem(error);
      changeOutgoing(queries, thread_id, (all) =>
        all.map((one) => (one.key === key ? { ...one, key: next, problem } : one)),
      );
    },
  });
  return {
    send(body: string, media: DirectMessage['media']) {
      const one = { key: newKey(), body, media };
      changeOutgoing(queries, thread_id, (all) => [...all, one]);
      post.mutate(one);
    },
    again({ key, body, media }: Outgoing) {
      const one = { key, body, media };
      changeOutgoing(queries, thread_id, (all) => all.map((other) => (other.key === key ? one : other)));
      post.mutate(one);
    },
    drop(key: string) {
      changeOutgoing(queries, thread_id, (all) => all.filter((one) => one.key !== key));
    },
  };
}

/** Takes a message back, for both. */
export function useDeleteMessage() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, thread_id }: DirectMessage) =>
      sdk.dm.deleteThreadMessage({ path: { thread_id, message_id: id } }),
    onMutate: (message) =>
      keepMessage(queries, { ...message, body: '', media: [], deleted_at: new Date().toISOString() }),
    onError: (error, message) => {
      keepMessage(queries, message);
      showToast(`It is still there: ${describeProblem(error)}`);
    },
  });
}

/** Tells the service how far the reader has read. */
export function useRead(thread_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (up_to_id: string) => sdk.dm.readThread({ path: { thread_id }, body: { up_to_id } }),
    onSuccess: () => recount(queries),
  });
}

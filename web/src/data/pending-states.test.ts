/** States that are sent later: the last one only. */
import { ApiError } from '@asterism/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PendingState } from './pending-context.ts';
import { PendingStates } from './pending-states.ts';

let kept: readonly PendingState[] | undefined;
const store = {
  read: () => kept,
  write: (all: readonly PendingState[] | undefined) => {
    kept = all;
  },
};

beforeEach(() => {
  kept = undefined;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** Pending states whose requests are answered by the test. */
function openStates() {
  const log: string[] = [];
  const sent: { on: boolean; answer: PromiseWithResolvers<void> }[] = [];
  const states = new PendingStates(store, async () => ({
    show: ({ on }) => log.push(`show ${on}`),
    send: async ({ on }) => {
      const answer = Promise.withResolvers<void>();
      sent.push({ on, answer });
      await answer.promise;
      return () => log.push(`sent ${on}`);
    },
    revert: ({ on, about }) => log.push(`back ${on} ${String(about)}`),
  }));
  const settle = () => vi.advanceTimersByTimeAsync(1);
  return { states, sent, log, settle };
}

const like = (on: boolean, about = 'first'): PendingState => ({ kind: 'like', id: 'sts_1', on, about });
const no_network = () => new TypeError('no network');

it('sends the last of several states once the network is back, also after a reload', async () => {
  const { states, sent, settle } = openStates();
  states.set(like(true));
  await settle();
  sent[0]?.answer.reject(no_network());
  await settle();
  for (const on of [false, true, false]) states.set(like(on, 'later'));
  await settle();
  sent[1]?.answer.reject(no_network());
  await settle();
  states.close();
  const next = openStates();
  next.states.flush();
  await next.settle();
  expect([next.log, next.sent.map(({ on }) => on)]).toEqual([['show false'], [false]]);
  next.sent[0]?.answer.resolve();
  await next.settle();
  expect([next.log, kept]).toEqual([['show false', 'sent false'], undefined]);
  next.states.close();
});

it('shows the answer only of the last state', async () => {
  const { states, sent, log, settle } = openStates();
  states.set(like(true));
  await settle();
  states.set(like(false));
  sent[0]?.answer.resolve();
  await settle();
  sent[1]?.answer.resolve();
  await settle();
  expect([sent.map(({ on }) => on), log]).toEqual([[true, false], ['sent false']]);
  states.close();
});

it('takes back what is refused, to what was shown before all of it', async () => {
  const { states, sent, log, settle } = openStates();
  states.set(like(true, 'before'));
  await settle();
  sent[0]?.answer.reject(no_network());
  await settle();
  states.set(like(false, 'between'));
  await settle();
  sent[1]?.answer.reject(new ApiError({ status: 404, code: 'not_found', message: 'It is gone.' }));
  await settle();
  expect([log, kept]).toEqual([['back false before'], undefined]);
  states.close();
});

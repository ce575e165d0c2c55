/** The messages that a page sends later, and the account that they belong to. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Outbox, type Unsent, type UnsentStore } from './outbox.ts';
import { isReporting, setReporting } from '../location/sharing-device.ts';

/** What the browser has stored for an account. */
let kept: readonly Unsent[] | undefined;
const store: UnsentStore = {
  read: () => kept,
  write: (all) => {
    kept = all;
  },
  onChange: () => () => undefined,
};

beforeEach(() => {
  kept = undefined;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** An outbox whose messages are answered by the test. */
function openOutbox() {
  const sent: { unsent: Unsent; answer: PromiseWithResolvers<void> }[] = [];
  const outbox = new Outbox(store, (unsent) => {
    const answer = Promise.withResolvers<void>();
    sent.push({ unsent, answer });
    return answer.promise;
  });
  return { outbox, sent };
}

const place = { kind: 'thread', id: 'thr_1' } as const;
const later_ms = 10 * 60_000;

it('sends and stores nothing of an account that has signed out', async () => {
  const { outbox, sent } = openOutbox();
  outbox.add(place, { body: 'from a', media: [] });
  outbox.add(place, { body: 'a again', media: [] });
  expect(sent).toHaveLength(1);
  // The sign-out deletes what is stored, while a message waits for the network.
  kept = undefined;
  outbox.close();
  sent[0]?.answer.reject(new TypeError('no network'));
  await vi.advanceTimersByTimeAsync(later_ms);
  expect(kept).toBeUndefined();
  // By now the requests of the page may be those of another account.
  expect(sent.map(({ unsent }) => unsent.body)).toEqual(['from a']);
});

it('does not send again what arrived after it was closed', async () => {
  const { outbox, sent } = openOutbox();
  outbox.add(place, { body: 'arrives', media: [] });
  outbox.add(place, { body: 'waits', media: [] });
  outbox.close();
  sent[0]?.answer.resolve();
  await vi.advanceTimersByTimeAsync(later_ms);
  expect(sent).toHaveLength(1);
  const next = openOutbox();
  expect(next.outbox.all.map(({ body }) => body)).toEqual(['waits']);
  next.outbox.close();
});

it('shows later messages to a chat as waiting with the first one', async () => {
  const { outbox, sent } = openOutbox();
  for (const body of ['first', 'second']) outbox.add(place, { body, media: [] });
  outbox.add({ kind: 'thread', id: 'thr_2' }, { body: 'elsewhere', media: [] });
  sent[0]?.answer.reject(new TypeError('no network'));
  await vi.advanceTimersByTimeAsync(1);
  expect(outbox.all.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'sending']);
  outbox.close();
});

it('forgets the files of what is sent and of what is discarded', async () => {
  const released: string[] = [];
  const outbox = new Outbox(
    store,
    () => Promise.resolve(),
    (files) => released.push(...files.map(({ key }) => key)),
  );
  const file = (key: string) => ({ key, name: 'evening.jpg', type: 'image/jpeg', size: 9 });
  outbox.add(place, { body: '', media: [], files: [file('a'), file('b')] });
  await vi.advanceTimersByTimeAsync(1);
  expect(released).toEqual(['a', 'b']);
  outbox.close();
});

it('reports the position of a device only for the account that shares it from there', () => {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  });
  setReporting('usr_a');
  expect([isReporting('usr_a'), isReporting('usr_b'), isReporting(undefined)]).toEqual([true, false, false]);
  setReporting(undefined);
  expect(isReporting('usr_a')).toBe(false);
});

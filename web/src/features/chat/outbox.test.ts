/** The messages that a page sends later, and the account that they belong to. */
import { ApiError } from '@asterism/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Outbox, type UnsentStore } from './outbox.ts';
import type { Unsent } from './unsent.ts';
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
  const sent: { unsent: Unsent; answer: PromiseWithResolvers<string | undefined> }[] = [];
  const outbox = new Outbox(store, (unsent) => {
    const answer = Promise.withResolvers<string | undefined>();
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
  sent[0]?.answer.resolve(undefined);
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
    () => Promise.resolve(undefined),
    (files) => released.push(...files.map(({ key }) => key)),
  );
  const file = (key: string) => ({ key, name: 'evening.jpg', type: 'image/jpeg', size: 9 });
  outbox.add(place, { body: '', media: [], files: [file('a'), file('b')] });
  await vi.advanceTimersByTimeAsync(1);
  expect(released).toEqual(['a', 'b']);
  outbox.close();
});

it('sends changes after earlier messages, the last of each kind once', async () => {
  const { outbox, sent } = openOutbox();
  outbox.add(place, { body: 'first', media: [] });
  for (const body of ['one', 'two']) outbox.change(place, 'dm_1', { kind: 'edit', body });
  for (const emoji of ['👍', null]) outbox.change(place, 'dm_1', { kind: 'react', emoji });
  outbox.change(place, 'dm_2', { kind: 'edit', body: 'gone' });
  outbox.change(place, 'dm_2', { kind: 'delete' });
  for (let at = 0; at < 4; at++) {
    expect(sent).toHaveLength(at + 1);
    sent[at]?.answer.resolve(undefined);
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(sent.slice(1).map(({ unsent }) => unsent.change)).toEqual([
    { kind: 'edit', body: 'two', message_id: 'dm_1' },
    { kind: 'react', emoji: null, message_id: 'dm_1' },
    { kind: 'delete', message_id: 'dm_2' },
  ]);
  expect(kept).toBeUndefined();
  outbox.close();
});

it('edits and discards a message that was written without a network in the queue', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  const { outbox, sent } = openOutbox();
  for (const body of ['first', 'second']) outbox.add(place, { body, media: [] });
  sent[0]?.answer.reject(new TypeError('no network'));
  await vi.advanceTimersByTimeAsync(1);
  const [first, second] = outbox.all.map(({ key }) => key);
  outbox.change(place, first ?? '', { kind: 'edit', body: 'edited' });
  outbox.change(place, second ?? '', { kind: 'delete' });
  expect(outbox.all.map(({ body }) => body)).toEqual(['edited']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent.map(({ unsent }) => [unsent.body, unsent.change])).toEqual([
    ['first', undefined],
    ['edited', undefined],
  ]);
  outbox.close();
});

it('edits a message whose answer was lost once the service has answered, also after a reload', async () => {
  const { outbox, sent } = openOutbox();
  outbox.add(place, { body: 'first', media: [] });
  sent[0]?.answer.reject(new TypeError('no answer'));
  await vi.advanceTimersByTimeAsync(1);
  outbox.change(place, outbox.all[0]?.key ?? '', { kind: 'edit', body: 'edited' });
  outbox.close();
  const next = openOutbox();
  next.outbox.flush();
  // The text under the same key is the same: a repeated request is recognised by it.
  expect(next.sent[0]?.unsent).toMatchObject({ body: 'first', key: sent[0]?.unsent.key });
  next.sent[0]?.answer.resolve('dm_9');
  await vi.advanceTimersByTimeAsync(1);
  expect(next.sent[1]?.unsent.change).toEqual({ kind: 'edit', body: 'edited', message_id: 'dm_9' });
  next.outbox.close();
});

it('drops and reports a change that is refused', async () => {
  const reported: unknown[] = [];
  const refuse = () => Promise.reject(new ApiError({ status: 409, code: 'edit_closed', message: 'Too late.' }));
  const outbox = new Outbox(store, refuse, undefined, ({ change }, error) => reported.push([change.kind, error]));
  outbox.change(place, 'dm_1', { kind: 'edit', body: 'late' });
  await vi.advanceTimersByTimeAsync(1);
  expect([outbox.all, kept]).toEqual([[], undefined]);
  expect(reported).toMatchObject([['edit', { status: 409 }]]);
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

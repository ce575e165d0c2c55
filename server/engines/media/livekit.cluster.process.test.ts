import { expect, it } from 'vitest';
import { createPresenceCheck } from './livekit.cluster.ts';

it('trusts a reply at once, treats a missing reply as absence at the next check, and a late reply as presence', async () => {
  const isThere = createPresenceCheck();
  expect(await isThere('PA_1', async () => true)).toBe(true);
  expect(await isThere('PA_2', async () => false)).toBe(false);
  const slow = Promise.withResolvers<boolean>();
  let requests = 0;
  const request = () => {
    requests++;
    return slow.promise;
  };
  // The first check relies on the list, and a concurrent check does not send another request.
  expect([await isThere('PA_3', request), await isThere('PA_3', request), requests]).toEqual([true, true, 1]);
  slow.resolve(false);
  expect(await isThere('PA_3', async () => false)).toBe(false);
  // Checks of an absent participant do not wait, and each sends another request.
  const late_reply = Promise.withResolvers<boolean>();
  expect(await isThere('PA_3', () => late_reply.promise)).toBe(false);
  late_reply.resolve(true);
  await late_reply.promise;
  expect(await isThere('PA_3', async () => true)).toBe(true);
});

it('rejects when the request fails, and sends it again at the next check', async () => {
  const isThere = createPresenceCheck();
  await expect(isThere('PA_1', () => Promise.reject(new Error('no route')))).rejects.toThrow('no route');
  expect(await isThere('PA_1', async () => false)).toBe(false);
});

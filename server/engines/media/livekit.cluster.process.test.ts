import { expect, it } from 'vitest';
import { createRollCall } from './livekit.cluster.ts';

it('believes an answer at once, silence at the next look, and whoever is there after all', async () => {
  const isThere = createRollCall();
  expect(await isThere('PA_1', async () => true)).toBe(true);
  expect(await isThere('PA_2', async () => false)).toBe(false);
  const slow = Promise.withResolvers<boolean>();
  let asked = 0;
  const ask = () => {
    asked++;
    return slow.promise;
  };
  // The look goes on with what the list says, and a second one does not ask the same again meanwhile.
  expect([await isThere('PA_3', ask), await isThere('PA_3', ask), asked]).toEqual([true, true, 1]);
  slow.resolve(false);
  expect(await isThere('PA_3', async () => false)).toBe(false);
  // Gone as they are, they cost a look nothing, and each look asks anew.
  const again = Promise.withResolvers<boolean>();
  expect(await isThere('PA_3', () => again.promise)).toBe(false);
  again.resolve(true);
  await again.promise;
  expect(await isThere('PA_3', async () => true)).toBe(true);
});

it('passes on that nobody could be asked, and asks again', async () => {
  const isThere = createRollCall();
  await expect(isThere('PA_1', () => Promise.reject(new Error('no route')))).rejects.toThrow('no route');
  expect(await isThere('PA_1', async () => false)).toBe(false);
});

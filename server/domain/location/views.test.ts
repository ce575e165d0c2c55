import { expect, it } from 'vitest';
import type { Services } from '../../kernel/services.ts';
import { recordViews } from './views.ts';

/** Services whose database counts what it is asked and fails on demand, at a time that stands. */
function watchedServices() {
  const state = { asked: 0, fails: false, now: new Date('2026-03-01T10:00:00Z') };
  const run = async () => {
    state.asked += 1;
    if (state.fails) throw new Error('The database is away.');
  };
  return { state, services: { db: { run }, clock: { now: () => state.now } } as unknown as Services };
}

it('asks the database once in 30 seconds about the same viewers of a live position', async () => {
  const { state, services } = watchedServices();
  await recordViews(services, ['usr_a'], ['usr_b', 'usr_c']);
  await recordViews(services, ['usr_a'], ['usr_c', 'usr_b']);
  await recordViews(services, ['usr_a', 'usr_a'], ['usr_b']);
  expect(state.asked).toBe(1);
  await recordViews(services, ['usr_a'], ['usr_b', 'usr_new']);
  await recordViews(services, ['usr_b'], ['usr_a']);
  expect(state.asked).toBe(3);
  state.now = new Date(state.now.getTime() + 30_000);
  await recordViews(services, ['usr_a'], ['usr_b', 'usr_c']);
  expect(state.asked).toBe(4);
});

it('asks again after a failure, and after the clock has stepped back', async () => {
  const { state, services } = watchedServices();
  state.fails = true;
  await expect(recordViews(services, ['usr_a'], ['usr_b'])).rejects.toThrow('away');
  state.fails = false;
  await recordViews(services, ['usr_a'], ['usr_b']);
  expect(state.asked).toBe(2);
  state.now = new Date(state.now.getTime() - 3_600_000);
  await recordViews(services, ['usr_a'], ['usr_b']);
  expect(state.asked).toBe(3);
});

it('asks nothing without owners or viewers', async () => {
  const { state, services } = watchedServices();
  await recordViews(services, [], ['usr_b']);
  await recordViews(services, ['usr_a'], []);
  expect(state.asked).toBe(0);
});

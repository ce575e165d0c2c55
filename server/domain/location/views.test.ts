import { expect, it } from 'vitest';
import type { Services } from '../../kernel/services.ts';
import { recordViews } from './views.ts';

/** Services with a fixed clock and a database that counts queries and fails on demand. */
function createCountingServices() {
  const state = { queries: 0, fails: false, now: new Date('2026-03-01T10:00:00Z') };
  const run = async () => {
    state.queries += 1;
    if (state.fails) throw new Error('The database is away.');
  };
  return {
    state,
    services: { db: { run }, clock: { now: () => state.now }, id: () => 'view_1' } as unknown as Services,
  };
}

it('writes the same viewers of a live position to the database once in 30 seconds', async () => {
  const { state, services } = createCountingServices();
  await recordViews(services, ['usr_a'], ['usr_b', 'usr_c']);
  await recordViews(services, ['usr_a'], ['usr_c', 'usr_b']);
  await recordViews(services, ['usr_a', 'usr_a'], ['usr_b']);
  expect(state.queries).toBe(1);
  await recordViews(services, ['usr_a'], ['usr_b', 'usr_new']);
  await recordViews(services, ['usr_b'], ['usr_a']);
  expect(state.queries).toBe(3);
  state.now = new Date(state.now.getTime() + 30_000);
  await recordViews(services, ['usr_a'], ['usr_b', 'usr_c']);
  expect(state.queries).toBe(4);
});

it('writes again after a failure, and after the clock was set back', async () => {
  const { state, services } = createCountingServices();
  state.fails = true;
  await expect(recordViews(services, ['usr_a'], ['usr_b'])).rejects.toThrow('away');
  state.fails = false;
  await recordViews(services, ['usr_a'], ['usr_b']);
  expect(state.queries).toBe(2);
  state.now = new Date(state.now.getTime() - 3_600_000);
  await recordViews(services, ['usr_a'], ['usr_b']);
  expect(state.queries).toBe(3);
});

it('writes nothing without owners or viewers', async () => {
  const { state, services } = createCountingServices();
  await recordViews(services, [], ['usr_b']);
  await recordViews(services, ['usr_a'], []);
  expect(state.queries).toBe(0);
});

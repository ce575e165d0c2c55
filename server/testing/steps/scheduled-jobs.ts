/** Scheduled jobs in tests: creating one, reading it, and running it when it is due. */
import { expect } from 'vitest';
import { advanceSeconds, type Persona } from '../world/personas.ts';
import type { Answer, World } from '../world/world.ts';

/** A time some seconds from the world's now, in the format of the API. */
export const inSeconds = (world: World, seconds: number): string =>
  new Date(world.clock.now().getTime() + seconds * 1000).toISOString();

/** Creates a job that runs in a minute by default. */
export async function schedule(world: World, { token }: Persona, body: object) {
  const created = await world.call('POST /scheduled-jobs', {
    token,
    body: { run_at: inSeconds(world, 60), ...body },
  });
  expect([created.status, created.body.error]).toEqual([201, undefined]);
  return created.body;
}

/** Tries to create a job that is rejected. */
export function trySchedule(world: World, { token }: Persona, body: object): Promise<Answer> {
  return world.call('POST /scheduled-jobs', { token, body: { run_at: inSeconds(world, 60), ...body } });
}

/** A job as its owner sees it. */
export async function readJob(world: World, { token }: Persona, id: string) {
  const { body } = await world.call('GET /scheduled-jobs?limit=100', { token });
  return body.items.find((job: { id: string }) => job.id === id);
}

/** The jobs of which somebody's devices were notified as `job.updated`, in order. */
export async function readUpdates(world: World, { id }: Persona) {
  const events = await world.events(`user:${id}`);
  return events.flatMap(({ type, data }) => (type === 'job.updated' ? [data.job] : []));
}

/** Advances time and runs what is due. */
export async function runDueJobs(world: World, seconds = 61): Promise<void> {
  await advanceSeconds(world, seconds);
  await world.settle();
}

/** Scheduled jobs in tests: making one, reading it, and letting its time come. */
import { expect } from 'vitest';
import { advanceSeconds, type Persona } from './personas.ts';
import type { Answer, World } from './world.ts';

/** A moment some seconds from the world's now, as it is sent. */
export const inSeconds = (world: World, seconds: number): string =>
  new Date(world.clock.now().getTime() + seconds * 1000).toISOString();

/** Makes a job that runs in a minute by default. */
export async function schedule(world: World, { token }: Persona, body: object) {
  const made = await world.call('POST /scheduled-jobs', {
    token,
    body: { run_at: inSeconds(world, 60), ...body },
  });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  return made.body;
}

/** Tries to make one that is refused. */
export function trySchedule(world: World, { token }: Persona, body: object): Promise<Answer> {
  return world.call('POST /scheduled-jobs', { token, body: { run_at: inSeconds(world, 60), ...body } });
}

/** A job as its owner sees it. */
export async function readJob(world: World, { token }: Persona, id: string) {
  const { body } = await world.call('GET /scheduled-jobs?limit=100', { token });
  return body.items.find((one: { id: string }) => one.id === id);
}

/** Lets time go by and runs what has come due. */
export async function runDueJobs(world: World, seconds = 61): Promise<void> {
  await advanceSeconds(world, seconds);
  await world.settle();
}

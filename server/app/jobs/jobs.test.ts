import { afterAll, beforeAll, expect, it } from 'vitest';
import { job, job_lanes, type Job, type JobLane } from '../../kernel/job.ts';
import { change } from '../../kernel/services.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { openQueue, startJobs, type JobRunner } from './jobs.ts';
import { slow } from '../../../testing/slow-tests.ts';

let world: World;
let runner: JobRunner;
const release = Promise.withResolvers<void>();
const started: JobLane[] = [];
const done: JobLane[] = [];

/** A job whose provider does not answer, and one that is done at once. */
const kindsOf = (lane: JobLane) => {
  const hang = async () => {
    started.push(lane);
    await release.promise;
  };
  const common = { max_attempts: 1, lane };
  return {
    hanging: job<object>({ ...common, name: `test.hang-in-${lane}`, run: hang }),
    quick: job<object>({ ...common, name: `test.run-in-${lane}`, run: async () => void done.push(lane) }),
  };
};
const kinds = new Map(job_lanes.map((lane) => [lane, kindsOf(lane)]));

beforeAll(async () => {
  world = await createWorld({ peopled: false });
  const { services } = world.app;
  const jobs = [...kinds.values()].flatMap(({ hanging, quick }) => [hanging, quick]) as Job<never>[];
  runner = await startJobs(services, openQueue(services.db.native.options.connectionString ?? ''), jobs, true);
});
afterAll(async () => {
  release.resolve();
  await runner.close();
  await world.close();
});

it(
  'runs the jobs of a lane while all workers of the others wait for something that does not answer',
  slow,
  async () => {
    const enqueue = (lane: JobLane, kind: 'hanging' | 'quick', count: number) =>
      change(world.app.services, async (one) => {
        for (let at = 0; at < count; at++) one.enqueue(kinds.get(lane)?.[kind] as Job<object>, {});
      });
    const open = [...job_lanes];
    for (const lane of ['pushes', 'letters', 'providers', 'calls'] as const) {
      open.splice(open.indexOf(lane), 1);
      await enqueue(lane, 'hanging', 40);
      await expect.poll(() => started.includes(lane)).toBe(true);
      done.length = 0;
      for (const other of open) await enqueue(other, 'quick', 1);
      await expect.poll(() => done.toSorted(), { timeout: 5000 }).toEqual(open.toSorted());
    }
    expect(open).toEqual(['database']);
  },
);

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { runDueJobs, readJob, readUpdates, schedule } from '../../testing/steps/scheduled-jobs.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /scheduled-jobs/{job_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const cancel = (who: 'alice' | 'bob', id: string) =>
    world.call(`DELETE /scheduled-jobs/${id}`, { token: people[who].token });

  it('cancels a scheduled job, idempotently, which then never runs', async () => {
    const job = await schedule(world, people.alice, { kind: 'reminder', body: 'Stretch' });
    expect((await cancel('alice', job.id)).status).toBe(204);
    expect((await cancel('alice', job.id)).status).toBe(204);
    // The second time changes nothing, of which nobody is notified.
    const states = (await readUpdates(world, people.alice)).map(({ state }) => state);
    expect(states).toEqual(['scheduled', 'cancelled']);
    await runDueJobs(world);
    expect(await readJob(world, people.alice, job.id)).toMatchObject({
      state: 'cancelled',
      next_run_at: null,
      runs: [],
    });
    const { body } = await world.call('GET /notifications', { token: people.alice.token });
    expect(body.items).toEqual([]);
  });

  it('returns 409 for a finished job', async () => {
    const job = await schedule(world, people.alice, { kind: 'reminder', body: 'Stretch' });
    await runDueJobs(world);
    const late = await cancel('alice', job.id);
    expect([late.status, late.body.error.code]).toEqual([409, 'already_decided']);
  });

  it('returns the same 404 for jobs of others as for absent ones', async () => {
    const job = await schedule(world, people.alice, { kind: 'reminder', body: 'Stretch' });
    const outsider_response = await cancel('bob', job.id);
    expect(outsider_response.status).toBe(404);
    expect(outsider_response.body).toEqual((await cancel('bob', `job_${'0'.repeat(26)}`)).body);
    expect((await readJob(world, people.alice, job.id)).state).toBe('scheduled');
  });

  it('either cancels or runs a job when both happen at once', async () => {
    for (let at = 0; at < 5; at++) {
      const job = await schedule(world, people.alice, { kind: 'status', body: `Race ${at}` });
      await world.clock.advance(61);
      const [answer] = await Promise.all([cancel('alice', job.id), world.settle()]);
      const { state } = await readJob(world, people.alice, job.id);
      expect([answer.status, state]).toEqual(answer.status === 204 ? [204, 'cancelled'] : [409, 'done']);
      const { body } = await world.call('GET /statuses?limit=100', { token: people.alice.token });
      const posted = body.items.filter((item: { body: string }) => item.body === `Race ${at}`);
      expect(posted).toHaveLength(state === 'done' ? 1 : 0);
    }
  });
});

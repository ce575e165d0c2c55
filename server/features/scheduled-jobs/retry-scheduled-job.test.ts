import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { runDueJobs, inSeconds, readJob, readUpdates, schedule } from '../../testing/steps/scheduled-jobs.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /scheduled-jobs/{job_id}/retry', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const retry = (who: 'alice' | 'bob', id: string) =>
    world.call(`POST /scheduled-jobs/${id}/retry`, { token: people[who].token, body: {} });

  it('runs a failed job again at once', async () => {
    const { alice, bob } = people;
    const reach = (message: string) => world.call('PATCH /me', { token: bob.token, body: { reach: { message } } });
    await reach('none');
    const job = await schedule(world, alice, { kind: 'text', target: { user_id: bob.id }, body: 'Hello' });
    await runDueJobs(world);
    expect(await readJob(world, alice, job.id)).toMatchObject({
      state: 'failed',
      last_error: 'You cannot send messages to this person.',
    });
    await reach('everyone');
    const again = await retry('alice', job.id);
    expect([again.status, again.body.state, again.body.next_run_at]).toEqual([200, 'scheduled', expect.any(String)]);
    await world.settle();
    expect(await readUpdates(world, alice)).toContainEqual(again.body);
    const done = await readJob(world, alice, job.id);
    expect(done).toMatchObject({ state: 'done', last_error: null, next_run_at: null });
    expect(done.runs.map(({ state }: { state: string }) => state)).toEqual(['done', 'failed']);
    const { body } = await world.call('GET /notifications', { token: alice.token });
    expect(body.items[0].subject_name).toBe('You cannot send messages to this person.');
  });

  it('returns 409 for a job that has not failed', async () => {
    const job = await schedule(world, people.alice, { kind: 'reminder', body: 'x' });
    const early = await retry('alice', job.id);
    expect([early.status, early.body.error.code]).toEqual([409, 'already_decided']);
    await runDueJobs(world);
    expect((await retry('alice', job.id)).status).toBe(409);
  });

  it('returns the same 404 for jobs of others as for absent ones', async () => {
    const job = await schedule(world, people.alice, { kind: 'reminder', body: 'x' });
    const outsider_response = await retry('bob', job.id);
    expect(outsider_response.status).toBe(404);
    expect(outsider_response.body).toEqual((await retry('bob', `job_${'0'.repeat(26)}`)).body);
  });

  it('is subject to the plan limit', async () => {
    const { bob } = people;
    const job = await schedule(world, bob, { kind: 'reminder', body: 'x', run_at: inSeconds(world, 30) });
    await world.app.services.db.native.query(
      "update scheduled_jobs set state = 'failed', due_at = null, ended_at = now() where id = $1",
      [job.id],
    );
    for (let at = 0; at < 10; at++) await schedule(world, bob, { kind: 'reminder', body: `Number ${at}` });
    const full = await retry('bob', job.id);
    expect([full.status, full.body.error.code]).toEqual([403, 'plan_limit_reached']);
  });
});

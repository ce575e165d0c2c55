/** Hostile files of every kind: each is accepted or rejected, and the service continues. `SEED` repeats a run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedOf, usual_seed } from '../../../../testing/seed.ts';
import { residentMemory, sendHostileFiles } from '../../attacks/hostile-run.ts';
import { signUp, type RunningPerson } from '../../running/running-people.ts';
import { startService, type Service } from '../../running/running-service.ts';

const of_each = 12;
const max_growth_mb = 400;

const { seed, label } = seedOf(usual_seed);

describe(`hostile files (${label})`, () => {
  let service: Service;
  let people: RunningPerson[];
  let bystander: RunningPerson;
  beforeAll(async () => {
    service = await startService({ is_program: true });
    bystander = await signUp(service, 'eve', '+14155550134');
    people = [await signUp(service, 'dora', '+14155550133'), await signUp(service, 'fay', '+14155550135')];
  });
  afterAll(() => service.close());

  it('are accepted or rejected, without effect on other requests', async () => {
    const { pid = 0 } = service.process;
    const before_mb = residentMemory(pid);
    const { sent, unexpected: odd } = await sendHostileFiles(service, people, bystander, {
      seed,
      of_each,
    });
    expect(odd).toEqual([]);
    expect(Object.values(sent).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(200);
    expect([service.process.pid, service.process.exitCode, service.process.signalCode]).toEqual([pid, null, null]);
    expect(residentMemory(pid) - before_mb).toBeLessThan(max_growth_mb);
  });
});

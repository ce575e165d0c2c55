/**
 * Hostile files: `HOSTILE_FILES` of each kind, 50 by default, of all kinds or of those in `HOSTILE_KINDS` (`zip,pdf`).
 * `SEED` repeats a run.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedOf, usual_seed } from '../../../../testing/seed.ts';
import { residentMemory, sendHostileFiles } from '../../attacks/hostile-run.ts';
import { signUp, type RunningPerson } from '../../running/running-people.ts';
import { startService, type Service } from '../../running/running-service.ts';

const of_each = Number(process.env['HOSTILE_FILES'] ?? 50);
const kinds = process.env['HOSTILE_KINDS']?.split(',');
const max_growth_mb = 500;
/** How long one file of each kind may take on a busy machine. */
const max_round_ms = 4_000;

const { seed, label } = seedOf(usual_seed);

describe(`a large number of hostile files (${label})`, () => {
  let service: Service;
  let people: RunningPerson[];
  let bystander: RunningPerson;
  beforeAll(async () => {
    service = await startService({ is_background: true });
    bystander = await signUp(service, 'eve', '+14155550134');
    people = [];
    for (const [at, name] of ['dora', 'fay', 'gus', 'hal'].entries())
      people.push(await signUp(service, name, `+1415555014${at}`));
  });
  afterAll(() => service.close());

  it(
    'are accepted or rejected, without effect on other requests',
    async () => {
      const { pid = 0 } = service.process;
      const before_mb = residentMemory(pid);
      const {
        sent,
        statuses,
        slowest_ms,
        unexpected: odd,
      } = await sendHostileFiles(service, people, bystander, {
        seed,
        of_each,
        kinds,
      });
      const growth_mb = residentMemory(pid) - before_mb;
      console.log(
        `hostile files: ${label}, ${of_each} of each of ${Object.keys(sent).length} kinds, ` +
          `statuses ${JSON.stringify(statuses)}, memory ${before_mb.toFixed(0)} MB and ${growth_mb.toFixed(0)} more, ` +
          `slowest GET /me of another ${slowest_ms.toFixed(0)} ms`,
      );
      expect(odd).toEqual([]);
      expect([service.process.pid, service.process.exitCode, service.process.signalCode]).toEqual([pid, null, null]);
      expect(growth_mb).toBeLessThan(max_growth_mb);
    },
    60_000 + of_each * max_round_ms,
  );
});

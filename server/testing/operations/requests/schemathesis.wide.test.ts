/** Requests that schemathesis generates from the OpenAPI document, valid and invalid, against a running service. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedOf, usual_seed } from '../../../../testing/seed.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { BACKGROUND_NICENESS, startService, type Service } from '../../running/running-service.ts';
import { signUp } from '../../running/running-people.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const program = join(root, '.cache', 'schemathesis', 'bin', 'schemathesis');
const { seed, label } = seedOf(usual_seed);
/** Seconds for all operations, and for those that end the session. */
const max_time_s = { all: 80, ending: 20 };

/** Operations that end the session, or the gate, which the other operations need: tested separately, at the end. */
const ends_session = [
  'logout',
  'revokeAllSessions',
  'revokeSession',
  'deleteMe',
  'changePassword',
  'resetPassword',
  'setMobile',
];

describeUnlessMissing(
  existsSync(program) ? undefined : '.cache/schemathesis',
  `requests generated from the OpenAPI document (${label})`,
  () => {
    let service: Service;
    let token: string;
    beforeAll(async () => {
      service = await startService({ environment: { THROTTLE_FACTOR: '1000000' }, is_background: true });
      ({ token } = await signUp(service, 'ada', '+14155550101'));
    });
    afterAll(() => service.close());

    /** Runs schemathesis; returns its exit code and its output. */
    const run = (time_s: number, ...selection: string[]) =>
      new Promise<{ code: number | null; output: string }>((resolve, reject) => {
        const args = [
          ['--config-file', join(root, 'tools', 'schemathesis.toml'), 'run', `${service.url}/v1/openapi.json`],
          ['-H', `Authorization: Bearer ${token}`, '--checks', 'all', '--phases', 'coverage,fuzzing'],
          ['--seed', String(seed), '--max-examples', '4', '--max-time', String(time_s), '--workers', '2'],
          ['--request-timeout', '20', '--continue-on-failure', '--no-color', '--warnings', 'off', ...selection],
        ].flat();
        const child = spawn(program, args, { cwd: service.data_dir });
        if (child.pid !== undefined) setPriority(child.pid, BACKGROUND_NICENESS);
        let output = '';
        for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
        child.once('error', reject);
        child.once('close', (code) => resolve({ code, output }));
      });

    it('receive no 5xx, and only replies that the document describes', async () => {
      const { code, output } = await run(
        max_time_s.all,
        ...ends_session.flatMap((id) => ['--exclude-operation-id', id]),
      );
      expect(code, output).toBe(0);
    });

    it('receive only described replies, also where they end the session', async () => {
      const { code, output } = await run(
        max_time_s.ending,
        ...ends_session.flatMap((id) => ['--include-operation-id', id]),
      );
      expect(code, output).toBe(0);
    });
  },
);

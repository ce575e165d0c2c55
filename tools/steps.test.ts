import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
// @ts-expect-error -- plain JavaScript that an old Node can parse
import { describeSkipped, mergeReports, readCounts, readFailures, runSteps, stepAfter, testStep } from './steps.mjs';
import { titleWithReason } from '../testing/skip-reason.mjs';

describe('the steps of a test run', () => {
  let folder: string;
  let report: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'asterism-test-'));
    report = join(folder, 'report.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (skipped: string[]) => {
    const passed = ['one', 'two', 'three'].map((fullName) => ({ status: 'passed', fullName }));
    const assertionResults = [...passed, ...skipped.map((fullName) => ({ status: 'skipped', fullName }))];
    writeFileSync(report, JSON.stringify({ testResults: [{ assertionResults }] }));
  };

  it('count a failure for a run without a report, and for a failed run without a failed test', () => {
    expect(readCounts(report, 0)).toMatchObject({ passed: 0, failed: 1 });
    write([]);
    expect(readCounts(report, 1)).toMatchObject({ passed: 3, failed: 1 });
    expect(readCounts(report, 0)).toMatchObject({ passed: 3, failed: 0 });
  });

  it('count a skip without a reason as a failure, and any reason but root where skips are forbidden', () => {
    write(['a test', `${titleWithReason('a bus', 'REDIS_TEST_URL')} b`, titleWithReason('a disk', 'root')]);
    expect(readCounts(report, 0)).toMatchObject({ passed: 3, failed: 1 });
    expect(readCounts(report, 0, { no_skips: true })).toMatchObject({ passed: 3, failed: 2 });
    expect(
      readCounts(report, 0, { no_skips: true }).skipped.map(({ is_failure }: { is_failure: boolean }) => is_failure),
    ).toEqual([true, true, false]);
  });

  it('are described by one line for each reason of skipped tests, and one for each test without an accepted reason', () => {
    const disks = ['a', 'b'].map((name) => titleWithReason(name, 'root'));
    write(['a test', titleWithReason('a bus', 'REDIS_TEST_URL'), ...disks]);
    expect(describeSkipped(readCounts(report, 0).skipped)).toEqual([
      '     skipped without REDIS_TEST_URL: 1',
      '     skipped without root: 2',
      'FAIL skipped without a reason that is accepted here: a test',
    ]);
  });

  it('count slow tests separately where they are not run, and as skipped without a reason elsewhere', () => {
    const assertionResults = [
      { status: 'passed', fullName: 'a', tags: [] },
      { status: 'skipped', fullName: 'b', tags: ['slow'] },
    ];
    writeFileSync(report, JSON.stringify({ testResults: [{ assertionResults }] }));
    expect(readCounts(report, 0, { without_slow: true })).toEqual({ passed: 1, failed: 0, skipped: [], slow: 1 });
    expect(readCounts(report, 0)).toMatchObject({ passed: 1, failed: 1, slow: 0 });
  });

  it('run again only files that did not wholly pass in an earlier run of the same commit', () => {
    const step = testStep('unit');
    expect(stepAfter(step, folder)).toBe(step);
    const file = (name: string, ...statuses: string[]) => ({
      name: join(folder, name),
      status: statuses.includes('failed') ? 'failed' : 'passed',
      assertionResults: statuses.map((status) => ({ status, fullName: name })),
    });
    const note = (...testResults: unknown[]) => {
      mkdirSync(join(folder, '.cache', 'reports'), { recursive: true });
      writeFileSync(join(folder, '.cache', 'reports', 'unit.json'), JSON.stringify({ testResults }));
    };
    note(file('a.test.ts', 'passed', 'passed'), file('b.test.ts', 'passed', 'skipped'), file('c.test.ts', 'failed'));
    expect(stepAfter(step, folder)).toEqual({ ...step, files: ['b.test.ts', 'c.test.ts'] });
    note(file('a.test.ts', 'passed'));
    expect(stepAfter(step, folder)).toBeUndefined();
  });

  it('run a failed file again, and none of the other files of the step', async () => {
    // A mock of vitest: logs the files that it receives, and fails b.test.ts the first time.
    const runner = join(folder, 'runner.mjs');
    const notes = join(folder, 'notes');
    writeFileSync(
      runner,
      `import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
       const files = process.argv.slice(2);
       const is_first = !existsSync(${JSON.stringify(notes)});
       appendFileSync(${JSON.stringify(notes)}, files.join(' ') + '\\n');
       const status = (name) => (is_first && name === 'b.test.ts' ? 'failed' : 'passed');
       writeFileSync(${JSON.stringify(report)}, JSON.stringify({ testResults: files.map((name) => ({
         name: ${JSON.stringify(process.cwd())} + '/' + name, status: status(name),
         assertionResults: [{ status: status(name), fullName: name, failureMessages: [] }] })) }));
       process.exit(is_first ? 1 : 0);`,
    );
    const step = {
      title: 'stand-in',
      command: process.execPath,
      args: [runner],
      files: ['a.test.ts', 'b.test.ts'],
      report,
    };
    expect(await runSteps([step])).toEqual({ passed: 2, failed: 0 });
    expect(readFileSync(notes, 'utf8')).toBe('a.test.ts b.test.ts\nb.test.ts\n');
  });

  it('use the second run of a failed file, and store the failure lines of the first', () => {
    const file = (name: string, status: string) => ({
      name: join(process.cwd(), name),
      status,
      assertionResults: [
        {
          status,
          fullName: `does ${name}`,
          failureMessages:
            status === 'failed' ? [`Error: late\n at ${join(process.cwd(), name)}?vitest=1:7:3\n at x`] : [],
        },
      ],
    });
    const first = JSON.stringify({ testResults: [file('a.test.ts', 'passed'), file('b.test.ts', 'failed')] });
    writeFileSync(report, first);
    expect(readFailures(report)).toEqual({
      files: ['b.test.ts'],
      lines: ['b.test.ts:7 > does b.test.ts: Error: late'],
    });
    expect(readCounts(report, 1)).toMatchObject({ passed: 1, failed: 1 });
    for (const [status, counts] of [
      ['passed', { passed: 2, failed: 0 }],
      ['failed', { passed: 1, failed: 1 }],
    ] as const) {
      writeFileSync(report, mergeReports(first, JSON.stringify({ testResults: [file('b.test.ts', status)] })));
      expect(readCounts(report, status === 'passed' ? 0 : 1)).toMatchObject(counts);
    }
  });

  it('tell why a hook failed, which only the output of vitest has', () => {
    const skipped = { status: 'skipped', fullName: 'a service starts', failureMessages: [] };
    const name = join(process.cwd(), 'a.test.ts');
    writeFileSync(
      report,
      JSON.stringify({ testResults: [{ name, status: 'failed', message: '', assertionResults: [skipped] }] }),
    );
    const output =
      '⎯ Failed Suites 1 ⎯\n\n FAIL  e2e  a.test.ts > a service\nError: The port is in use.\n ❯ a.test.ts:4:11\n';
    expect(readFailures(report, output).lines).toEqual(['a.test.ts: Error: The port is in use.']);
    expect(readFailures(report).lines).toEqual(['a.test.ts: ']);
  });

  it('leave a title unchanged when nothing is missing', () => {
    expect(titleWithReason('a bus', undefined)).toBe('a bus');
  });
});

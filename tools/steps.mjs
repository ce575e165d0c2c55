// Runs the steps of check and test: one line and duration each, and a count of what passed and failed.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture, insidePath, root, say } from './setup.mjs';
import { readReason } from './skip-reason.mjs';

/** At most two at once: the machine for which this is made has two cores. */
const AT_ONCE = 2;

/** The house's own checks and the unit tests, longest first. */
export function checkSteps() {
  const bin = (name) => join(root, 'node_modules', '.bin', name);
  const steps = [
    testStep('unit'),
    { title: 'types', command: bin('tsc'), args: typeArgs('tsconfig.json') },
    { title: 'lint', command: bin('oxlint'), args: [] },
    { title: 'format', command: bin('oxfmt'), args: ['--check'] },
    { title: 'tidy', command: bin('node'), args: ['tools/tidy/tidy.ts'] },
  ];
  if (existsSync(join(root, 'web', 'tsconfig.json'))) {
    steps.splice(2, 0, { title: 'types of web', command: bin('tsc'), args: typeArgs('web/tsconfig.json') });
  }
  return steps;
}

/** Checks types, reading again only what has changed since the last run. */
function typeArgs(project) {
  const kept = join(root, '.cache', 'types', `${project.replaceAll('/', '-')}.tsbuildinfo`);
  return ['--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', kept];
}

/** One vitest project; its JSON report is read for the counts. */
export function testStep(project) {
  const report = join(root, '.cache', 'reports', `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const command = join(root, 'node_modules', '.bin', 'vitest');
  return { title: `${project} tests`, command, args: ['run', '--project', project, ...reporters], report };
}

/** Runs the steps and answers the sum; each step without a report counts as one test. */
export async function runSteps(steps) {
  const waiting = [...steps];
  const sum = { passed: 0, failed: 0 };
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const counts = await runStep(step);
      sum.passed += counts.passed;
      sum.failed += counts.failed;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return sum;
}

/** Prints the sum as the last, plain line; answers the exit code. */
export function finish(sum) {
  say(`${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed === 0 ? 0 : 1;
}

async function runStep({ title, command, args, report, no_skips }) {
  const started_ms = performance.now();
  if (report) {
    mkdirSync(dirname(report), { recursive: true });
    rmSync(report, { force: true });
  }
  const { code, output } = await capture(command, args, { cwd: root, env: { ...insidePath(), NO_COLOR: '1' } });
  const counts = report
    ? readCounts(report, code, no_skips)
    : { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [] };
  const good = code === 0 && counts.failed === 0;
  const duration = `${((performance.now() - started_ms) / 1000).toFixed(1)} s`;
  const numbers = report ? `, ${counts.passed} passed, ${counts.failed} failed` : '';
  say(`${good ? 'ok  ' : 'FAIL'} ${title} (${duration}${numbers})`);
  for (const { name, is_failure } of counts.skipped)
    say(is_failure ? `FAIL skipped without a reason that is accepted here: ${name}` : `     skipped: ${name}`);
  if (code !== 0) say(output.trim());
  return counts;
}

/**
 * Counts of a vitest JSON report. A run that failed without a failed test (a broken file, an error outside of tests)
 * counts as one failure, and so does each test that was skipped without a reason. With `no_skips`, the lack of root is
 * the only reason accepted.
 */
export function readCounts(report, code, no_skips = false) {
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: [] };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const skipped = testResults
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status === 'skipped' || test.status === 'pending' || test.status === 'todo')
    .map(({ fullName: name }) => {
      const missing = readReason(name);
      return { name, is_failure: missing === undefined || (no_skips && missing !== 'root') };
    });
  const failed = code !== 0 ? Math.max(1, numFailedTests) : numFailedTests;
  const unexcused = skipped.filter(({ is_failure }) => is_failure);
  return { passed: numPassedTests, failed: failed + unexcused.length, skipped };
}

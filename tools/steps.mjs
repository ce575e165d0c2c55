// Runs the steps of check and test: one line with its duration each, and the number of passed and failed tests.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { capture, insidePath, root, say } from './setup.mjs';
import { readReason } from '../testing/skip-reason.mjs';

/** At most two at once: the target machine has two cores. */
const AT_ONCE = 2;

/** The repository's own checks and the unit tests, longest first; by default without those tests that are marked as slow. */
export function checkSteps({ with_slow = false } = {}) {
  const bin = (name) => join(root, 'node_modules', '.bin', name);
  const steps = [
    with_slow ? withWorkers(3, testStep('unit')) : withoutSlow(withWorkers(3, testStep('unit'))),
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

/** Checks types incrementally. */
function typeArgs(project) {
  const kept = join(root, '.cache', 'types', `${project.replaceAll('/', '-')}.tsbuildinfo`);
  return ['--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', kept];
}

/** Vitest projects in one run; the counts are read from their JSON report. */
export function testStep(...projects) {
  const report = join(root, '.cache', 'reports', `${projects.join('-')}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const command = join(root, 'node_modules', '.bin', 'vitest');
  const args = ['run', ...projects.flatMap((project) => ['--project', project]), ...reporters];
  return { title: `${projects.join(', ')} tests`, command, args, report };
}

/**
 * The step with more files at a time than the two of vitest's configuration: tests wait for a quarter to a half of their
 * time, for the database, a process to start, media, or a page to settle.
 */
export const withWorkers = (count, step) => ({ ...step, args: [...step.args, `--maxWorkers=${count}`] });

/** The tag of tests that take more than a fifth of a second (`testing/slow-tests.ts`). */
const SLOW = 'slow';

const withoutSlow = (step) => ({ ...step, args: [...step.args, `--tags-filter=!${SLOW}`], without_slow: true });

/**
 * The step without the files whose tests all passed in an earlier run of the same commit; undefined when none is left.
 * A file with a test that was skipped there is run here.
 * @param before the folder of the checkout of that run
 */
export function stepAfter(step, before) {
  const report = join(before, relative(root, step.report ?? ''));
  if (!step.report || !existsSync(report)) return step;
  const files = JSON.parse(readFileSync(report, 'utf8'))
    .testResults.filter(({ status, assertionResults }) => {
      const passed = assertionResults.every((test) => test.status === 'passed');
      return status !== 'passed' || !passed || assertionResults.length === 0;
    })
    .map(({ name }) => relative(before, name));
  return files.length === 0 ? undefined : { ...step, files };
}

/** Runs the steps and returns the totals; each step without a report counts as one test. */
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

/** Prints the totals as the last, plain line; returns the exit code. */
export function finish(sum) {
  say(`${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed === 0 ? 0 : 1;
}

/** More failing files than this are not caused by timing, and are not run again. */
const MAX_FILES_AGAIN = 4;

async function runStep(step) {
  const started_ms = performance.now();
  let { code, output } = await runOnce(step);
  const failing = step.report && code !== 0 ? readFailures(step.report, output) : { files: [], lines: [] };
  if (failing.files.length > 0 && failing.files.length <= MAX_FILES_AGAIN) {
    const first = readFileSync(step.report, 'utf8');
    ({ code, output } = await runOnce({ ...step, files: failing.files }));
    if (existsSync(step.report)) writeFileSync(step.report, mergeReports(first, readFileSync(step.report, 'utf8')));
  }
  const counts = step.report
    ? readCounts(step.report, code, step)
    : { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [], slow: 0 };
  const good = code === 0 && counts.failed === 0;
  const duration = `${((performance.now() - started_ms) / 1000).toFixed(1)} s`;
  const numbers = step.report ? `, ${counts.passed} passed, ${counts.failed} failed` : '';
  say(`${good ? 'ok  ' : 'FAIL'} ${step.title} (${duration}${numbers})`);
  if (counts.slow > 0) say(`     not run: ${counts.slow} slow tests, which are part of npm test`);
  for (const line of describeSkipped(counts.skipped)) say(line);
  if (failing.lines.length > 0) {
    say(code === 0 ? '     unsteady: failed first, passed when its file ran again:' : '     failed in the first run:');
    for (const line of failing.lines) say(`     ${line}`);
  }
  if (code !== 0) say(step.report ? tail(output) : output.trim());
  return counts;
}

/** A line for each reason of skipped tests, with their number, and one for each test whose reason is not accepted. */
export function describeSkipped(skipped) {
  const counts = new Map();
  for (const { missing, is_failure } of skipped) if (!is_failure) counts.set(missing, (counts.get(missing) ?? 0) + 1);
  const failures = skipped.filter(({ is_failure }) => is_failure);
  return [
    ...[...counts].map(([missing, count]) => `     skipped without ${missing}: ${count}`),
    ...failures.map(({ name }) => `FAIL skipped without a reason that is accepted here: ${name}`),
  ];
}

/** Runs a step with the given files, or with all of its files. */
async function runOnce({ command, args, files = [], report }) {
  if (report) {
    mkdirSync(dirname(report), { recursive: true });
    rmSync(report, { force: true });
  }
  return capture(command, [...args, ...files], { cwd: root, env: { ...insidePath(), NO_COLOR: '1' } });
}

/** The end of the output of a test run, where vitest summarises failures. */
function tail(output) {
  const from = output.search(/^.*(Failed Suites|Failed Tests|Unhandled Errors)/m);
  return (from < 0 ? output : output.slice(from)).trim().slice(0, 20_000);
}

/**
 * The failed files of a vitest JSON report, and a line for each failure: its location, and the first line of its
 * message.
 * @param output what vitest printed: the report has no message of a hook that failed
 */
export function readFailures(report, output = '') {
  if (!existsSync(report)) return { files: [], lines: [] };
  const failed = JSON.parse(readFileSync(report, 'utf8')).testResults.filter(({ status }) => status === 'failed');
  const files = [...new Set(failed.map(({ name }) => relative(root, name)))];
  const lines = failed.flatMap((file) => {
    const tests = file.assertionResults.filter(({ status }) => status === 'failed');
    const where = relative(root, file.name);
    if (tests.length === 0) return [`${where}: ${firstLine(file.message || printedMessage(output, where))}`];
    return tests.map((test) => {
      const message = test.failureMessages?.[0];
      return `${where}${lineIn(file.name, message)} > ${test.fullName}: ${firstLine(message)}`;
    });
  });
  return { files, lines };
}

/** The printed message of a file that failed outside of its tests: it follows the line with `FAIL` and the file. */
function printedMessage(output, where) {
  const lines = tail(output).split('\n');
  const place = lines.findIndex((line) => /^\s*FAIL\s/.test(line) && line.includes(where));
  return place < 0 ? '' : lines.slice(place + 1).find((line) => line.trim() !== '');
}

/** `:LINE` of a file in a stack trace, for a failure that does not come again; empty when it is not in it. */
const lineIn = (file, text) => /^(?:\?[^:]*)?(:\d+)/.exec(String(text ?? '').split(file)[1] ?? '')?.[1] ?? '';

const firstLine = (text) =>
  String(text ?? '')
    .split('\n', 1)[0]
    .slice(0, 300);

/** The report of a first run, with the files of a second run replacing their earlier results. */
export function mergeReports(first, again) {
  const [before, after] = [JSON.parse(first), JSON.parse(again)];
  const names = new Set(after.testResults.map(({ name }) => name));
  const testResults = [...before.testResults.filter(({ name }) => !names.has(name)), ...after.testResults];
  return JSON.stringify({ ...before, testResults });
}

/**
 * Counts of a vitest JSON report. A run that failed without a failed test (a broken file, an error outside of tests)
 * counts as one failure, and so does each test that was skipped without a reason. With `no_skips`, the only accepted
 * reason is that root is missing. With `without_slow`, slow tests that were not run are counted separately.
 */
export function readCounts(report, code, { no_skips = false, without_slow = false } = {}) {
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: [], slow: 0 };
  const tests = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap((file) => file.assertionResults);
  const count = (status) => tests.filter((test) => test.status === status).length;
  const isSlow = ({ tags = [] }) => without_slow && tags.includes(SLOW);
  const not_run = tests.filter(({ status }) => status === 'skipped' || status === 'pending' || status === 'todo');
  const skipped = not_run
    .filter((test) => !isSlow(test))
    .map(({ fullName: name }) => {
      const missing = readReason(name);
      return { name, missing, is_failure: missing === undefined || (no_skips && missing !== 'root') };
    });
  const failed = Math.max(code === 0 ? 0 : 1, count('failed'));
  const unexcused = skipped.filter(({ is_failure }) => is_failure);
  return { passed: count('passed'), failed: failed + unexcused.length, skipped, slow: not_run.filter(isSlow).length };
}

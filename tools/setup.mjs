// Sets up what a fresh clone lacks: dependencies, the pinned Node, the web client's build.
// Plain JavaScript without newer syntax, so that an old Node can parse it and report what is wrong.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin_dir = join(root, 'node_modules', '.bin');
const compile_cache = join(root, '.cache', 'compile');
const OLDEST_NODE = 20;
const PINNED_NODE = 26;
/** The exit code of a program that was stopped because this process was asked to stop. */
const STOPPED = 'stopped';
const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A problem that the operator can fix: its message is one sentence, and the only output. */
export class SetupError extends Error {}

/** @throws SetupError on a Node that is too old even for this setup. `version` as in `process.versions.node`. */
export function requireNode(version) {
  if (Number(version.split('.')[0]) >= OLDEST_NODE) return;
  throw new SetupError(
    `Node ${version} is too old: install Node ${OLDEST_NODE} or newer (https://nodejs.org), and run this again.`,
  );
}

/**
 * Whether this machine's C library is not glibc (musl on Alpine): neither the pinned Node nor the embedded PostgreSQL
 * is built for others. `report` as `process.report` on Linux.
 */
export function isMusl(platform, report) {
  if (platform !== 'linux') return false;
  // By default the report looks up network names, which can take seconds.
  report.excludeNetwork = true;
  return report.getReport().header.glibcVersionRuntime === undefined;
}

/**
 * Checks what a machine with musl has to provide, before anything is installed.
 * @throws SetupError on a Node older than the pinned one, and for a start without DATABASE_URL
 */
export function requireParts(musl, version, database_url) {
  if (!musl) return;
  if (Number(version.split('.')[0]) < PINNED_NODE) {
    throw new SetupError(
      `No Node ${PINNED_NODE} comes with the dependencies for musl (Alpine): install Node ${PINNED_NODE} or newer, and run this again.`,
    );
  }
  if (!database_url) {
    throw new SetupError(
      'No embedded PostgreSQL exists for musl (Alpine): set DATABASE_URL to a PostgreSQL server, version 15 or newer.',
    );
  }
}

/** @throws the system's error when the project's folder is not writable, which is shorter than that of npm. */
function requireWritable() {
  accessSync(root, constants.W_OK);
}

/** Runs `npm ci` unless the installed dependencies are those of the lockfile. */
async function installDependencies() {
  const stamp = join(root, 'node_modules', '.asterism-stamp');
  const wanted = hashFiles([join(root, 'package-lock.json')]);
  if (readStamp(stamp) === wanted) return;
  requireWritable();
  await runStep('Installing dependencies (npm ci)', 'npm', ['ci', '--no-audit', '--no-fund'], outsidePath());
  writeFileSync(stamp, wanted);
}

/**
 * Returns the path of the pinned Node, linked by tools/link-node.mjs.
 * @throws SetupError when it is missing and this Node is older.
 */
async function findNode() {
  const linked = join(bin_dir, 'node');
  if (isMusl(process.platform, process.report)) return process.execPath;
  if (!existsSync(linked)) await import('./link-node.mjs');
  if (existsSync(linked)) return realpathSync(linked);
  if (Number(process.versions.node.split('.')[0]) >= PINNED_NODE) return process.execPath;
  throw new SetupError(
    `Node ${PINNED_NODE} did not come with the dependencies for ${process.platform}-${process.arch}: run "npm ci" without --omit=optional, or install Node ${PINNED_NODE} and run this again.`,
  );
}

/** Builds the web client unless the build is up to date with its sources. */
async function buildWeb() {
  const web = join(root, 'web');
  if (!existsSync(join(web, 'index.html'))) {
    say('The web client has no index.html: its build is left out.');
    return;
  }
  const sources = ['web', 'sdk'].flatMap((name) => listFiles(join(root, name)));
  const wanted = hashFiles([...sources, join(root, 'package-lock.json')]);
  const stamp = join(web, 'dist', '.asterism-stamp');
  if (readStamp(stamp) === wanted) return;
  requireWritable();
  await runStep('Building the web client', join(bin_dir, 'vite'), ['build'], insidePath(), web);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/**
 * All of the above; returns the path of the Node to continue with. Tests provide their own database, also with musl.
 */
export async function setUp() {
  requireNode(process.versions.node);
  requireParts(isMusl(process.platform, process.report), process.versions.node, process.env.DATABASE_URL);
  await installDependencies();
  const node = await findNode();
  await buildWeb();
  return node;
}

/**
 * Runs a script's main function; a problem that the operator can fix is shown as one sentence, and the exit code is 1.
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(explain(error));
    process.exitCode = 1;
  }
}

/**
 * Flags of the Node that runs the service. Most objects of a request live no longer than it: with a larger young generation
 * (16 MiB by default) fewer of them are copied, which saved a fifth of the processor time of a busy node that delivers messages.
 */
export const NODE_FLAGS = ['--max-semi-space-size=32'];

/**
 * The environment in which the pinned Node and the tools of node_modules come first. Node's compile cache is enabled: a
 * process that finds all of its code there starts faster and, without the compiler, uses some 15 MB less.
 */
export function insidePath() {
  const PATH = [bin_dir, process.env.PATH].join(delimiter);
  return { ...process.env, PATH, NODE_COMPILE_CACHE: compile_cache };
}

/** npm ci deletes node_modules, including the pinned Node: it has to run on the machine's own Node. */
function outsidePath() {
  const dirs = (process.env.PATH || '').split(delimiter).filter((dir) => !dir.includes(join('node_modules', '.bin')));
  return { ...process.env, PATH: dirs.join(delimiter) };
}

/** Prints a line. */
export function say(line) {
  console.log(line);
}

async function runStep(title, command, args, env, cwd = root) {
  say(`${title} …`);
  const started_ms = performance.now();
  const { code, output } = await capture(command, args, { env, cwd });
  if (code === STOPPED) throw new SetupError(`${title} was stopped.`);
  if (code !== 0) throw new SetupError(`${title} failed:\n${output.trim().split('\n').slice(-15).join('\n')}`);
  say(`${title}: done in ${((performance.now() - started_ms) / 1000).toFixed(1)} s.`);
}

/** Runs a program to completion; returns its exit code and its output. */
export function capture(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    // A stop signal also stops the child, and then this process: nothing is left running.
    let stopped = false;
    const stop = (signal) => {
      stopped = true;
      child.kill(signal);
    };
    for (const signal of STOPS) process.on(signal, stop);
    child.once('close', () => STOPS.forEach((signal) => process.off(signal, stop)));
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ code: stopped ? STOPPED : code === null ? `ended by ${signal}` : code, output });
    });
  });
}

/** One sentence for a problem that the operator can fix, and the stack for everything else. */
export function explain(error) {
  if (error instanceof SetupError) return error.message;
  if (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM') {
    return `No right to write ${error.path || root}: run this as the owner of the project's folder, or clone it to a folder of your own.`;
  }
  if (error.code === 'ENOSPC') return `The disk that holds ${root} is full: free some space and run this again.`;
  if (error.code === 'ENOENT' && error.syscall === 'spawn npm') {
    return 'npm was not found: install npm 10 or newer, and run this again.';
  }
  return error.stack || String(error);
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

function listFiles(dir) {
  return readdirSync(dir)
    .sort()
    .filter((name) => name !== 'node_modules' && name !== 'dist')
    .map((name) => join(dir, name))
    .flatMap((path) => (statSync(path).isDirectory() ? listFiles(path) : [path]));
}

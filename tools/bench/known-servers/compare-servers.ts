/**
 * Compares the cost of operations with that of known servers, in CPU milliseconds of server and database together, 32 at
 * once, in alternating rounds. A server that is not installed is left out. Called by npm run bench -- known-servers.
 */
import { cpuOf, cpuOfDatabase, load, median, type Ask } from '../measure.ts';
import { fillWorld, listOperations } from '../operations.ts';
import type { BenchRun } from '../subjects.ts';
import { startEjabberd } from './ejabberd.ts';
import { startPocketBase } from './pocketbase.ts';

const at_once = 32;
const round_ms = 1500;
const rounds = 7;

type Cost = () => Promise<number>;

/** Measures both in turns and prints their medians, and the median of their ratios. */
async function compareCosts(title: string, ours: Cost, name: string, theirs: Cost, write: BenchRun['write']) {
  const figures: { ours: number; theirs: number }[] = [];
  // The first round of each warms up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const figure = { ours: await ours(), theirs: await theirs() };
    if (round > 0) figures.push(figure);
  }
  const [our_ms, their_ms] = [median(figures.map((one) => one.ours)), median(figures.map((one) => one.theirs))];
  const ratio = median(figures.map((one) => one.ours / one.theirs));
  write(title, `${our_ms.toFixed(2)} CPU ms, ${name} ${their_ms.toFixed(2)}, ratio ${ratio.toFixed(2)}`);
}

/** Measures what the known servers do as well, and prints a line for each operation. */
export async function compareServers(run: BenchRun): Promise<void> {
  const { service, postmaster, write } = run;
  const world = await fillWorld(service.port, run.people);
  await run.db.query('vacuum analyze');
  const operations = listOperations(world);
  const costOf = (title: string): Cost => {
    const next = operations.find((one) => one.title.startsWith(title))?.next;
    if (!next) throw new Error(`No operation begins with ${title}.`);
    const used_ms = () => cpuOf(service.pid) + cpuOfDatabase(postmaster);
    return () => costOfRequest(service.port, used_ms, next);
  };
  try {
    const ejabberd = await startEjabberd(at_once);
    if (ejabberd) {
      const theirs = () => ejabberd.costOfMessage(round_ms);
      await compareCosts('direct message, delivered live', costOf('direct message'), ejabberd.version, theirs, write);
      await ejabberd.close();
    } else write('ejabberd', 'not installed');
    const pocketbase = await startPocketBase(at_once);
    if (pocketbase) {
      const { pid, port } = pocketbase.server;
      const theirs = (next: () => Ask) => () => costOfRequest(port, () => cpuOf(pid), next);
      await compareCosts('GET /me', costOf('GET /me'), 'PocketBase', theirs(pocketbase.readAccount), write);
      await compareCosts(
        'POST /contacts',
        costOf('POST /contacts'),
        'PocketBase',
        theirs(pocketbase.createContact),
        write,
      );
      await pocketbase.close();
    } else write('PocketBase', 'not installed');
  } finally {
    for (const socket of world.sockets) socket.terminate();
  }
}

async function costOfRequest(port: number, used_ms: () => number, next: () => Ask): Promise<number> {
  const before_ms = used_ms();
  const done = await load(port, at_once, round_ms, next);
  return (used_ms() - before_ms) / done;
}

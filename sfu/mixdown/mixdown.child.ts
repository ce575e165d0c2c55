/** The program of a mixdown: mixes once, writes into the file that it was given, and ends with 0 when all of it is there. */
import { writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { mixTracks, type Mixture } from './mix-tracks.ts';

/** What the program is told. */
export type MixdownRequest = {
  mixture: Mixture;
  /** What it may write, and what memory it may hold. */
  file_bytes: number;
  memory_bytes: number;
};

/** The descriptor of the file, beside the three usual ones and the channel to the service. */
const output = 4;
/** Behind everything that somebody waits for on this machine (nice(2)). */
const niceness = 10;

process.title = 'asterism mixdown';
try {
  setPriority(niceness);
} catch {
  // A system without priorities.
}
// The service has ended.
process.on('disconnect', () => process.exit(1));
process.once('message', (request: MixdownRequest) => void mix(request));

async function mix({ mixture, file_bytes, memory_bytes }: MixdownRequest): Promise<void> {
  let written = 0;
  const write = (page: Buffer) => {
    written += page.length;
    if (written > file_bytes) throw new Error(`the file is larger than ${file_bytes} octets`);
    for (let at = 0; at < page.length;) at += writeSync(output, page, at);
  };
  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const held = process.memoryUsage.rss();
      if (held > memory_bytes) reject(new Error(`memory: ${held} octets are more than ${memory_bytes}`));
      else setImmediate(resolve);
    });
  try {
    await mixTracks(mixture, write, turn);
    process.exit(0);
  } catch (error) {
    writeSync(2, error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}

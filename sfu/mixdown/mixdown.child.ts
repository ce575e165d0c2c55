/**
 * The main program of a mixdown process: mixes once, writes to the given file descriptor, and exits with 0 when the
 * file is complete.
 */
import { writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { mixTracks, type MixInput } from './mix-tracks.ts';

/** The request. */
export type MixdownRequest = {
  mixture: MixInput;
  /** Limits of output size and memory. */
  file_bytes: number;
  memory_bytes: number;
};

/** The descriptor of the output file, after the three standard streams and the IPC channel. */
const output = 4;
/** The lowest useful priority, below everything that somebody waits for on this machine (nice(2)). */
const niceness = 10;

process.title = 'asterism mixdown';
try {
  setPriority(niceness);
} catch {
  // A system without priorities.
}
// The service has exited.
process.on('disconnect', () => process.exit(1));
process.once('message', (request: MixdownRequest) => void mix(request));

async function mix({ mixture, file_bytes, memory_bytes }: MixdownRequest): Promise<void> {
  let written = 0;
  const write = (page: Buffer) => {
    written += page.length;
    if (written > file_bytes) throw new Error(`the file is larger than ${file_bytes} bytes`);
    for (let at = 0; at < page.length;) at += writeSync(output, page, at);
  };
  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const held = process.memoryUsage.rss();
      if (held > memory_bytes) reject(new Error(`memory: ${held} bytes are more than ${memory_bytes}`));
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

/** Mixes a long track in a separate process, which a test kills: FILE INTO. Prints the id of the child that mixes. */
import { createMixdown } from '../mixdown/mixdown.ts';

const [path = '', into = ''] = process.argv.slice(2);
const mix = createMixdown({ onStart: (pid) => process.stdout.write(`${pid}\n`) });
await mix({ tracks: [{ path, starts_ms: 0 }], chapters: [], duration_ms: 306_000, into });

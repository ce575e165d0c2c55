/** A filmed call on the embedded media server, played in Chromium. */
import { describe } from 'vitest';
import { chromium_player, missing_films, testFilmedCall } from './filmed-call.ts';

if (missing_films) process.stderr.write(`a filmed call is skipped: ${missing_films}\n`);
describe.skipIf(missing_films)(`a filmed call${missing_films ? `: ${missing_films}` : ''}`, () => {
  testFilmedCall({}, chromium_player);
});

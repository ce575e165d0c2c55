/** A filmed call on the embedded media server. */
import { describe } from 'vitest';
import { missing_films, testFilmedCall } from './filmed-call.ts';

if (missing_films) process.stderr.write(`a filmed call is skipped: ${missing_films}\n`);
describe.skipIf(missing_films)(`a filmed call${missing_films ? `: ${missing_films}` : ''}`, () => {
  testFilmedCall({});
});

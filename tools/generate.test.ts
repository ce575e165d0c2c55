import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generate } from './generate.ts';
import { slow } from '../testing/slow-tests.ts';

it('every committed generated document equals the output of generate()', slow, () => {
  for (const [path, text] of generate()) {
    const committed = readFileSync(join(import.meta.dirname, '..', path), 'utf8');
    expect(committed === text, `${path} is not what npm run generate writes`).toBe(true);
  }
});

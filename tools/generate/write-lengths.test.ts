import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { features } from '../../server/features/index.ts';
import { writeLengths } from './write-lengths.ts';

it('writeLengths reads lengths from contracts, also where a pattern or one of several shapes bounds them', () => {
  const written = writeLengths(features);
  for (const line of ['tag_name: 32', 'username: 30', 'event_description: 8000', 'address_part: 200', 'status: 2000'])
    expect(written).toContain(`  ${line},\n`);
});

it('writeLengths fails for a length that no contract bounds', () => {
  const without = features.filter(({ area }) => area !== 'tags');
  expect(() => writeLengths(without)).toThrow(/ does not bound /);
});

it('the web client contains no maxLength copied by hand', () => {
  const folder = join(import.meta.dirname, '..', '..', 'web', 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tsx'));
  // Digits of codes and dates: no contract has these lengths.
  const without_contract = new Set(['2', '4', '6']);
  const copied = files.flatMap((path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(/maxLength=\{([\d_]+)\}/g)]
      .filter(([, length = '']) => !without_contract.has(length))
      .map(([text]) => `${path}: ${text}`),
  );
  expect(copied).toEqual([]);
});

/** The errors of an unavailable database are told as such (503), not as a defect of the service (500). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isOutage } from './http-refusal.ts';

const require = createRequire(import.meta.url);

/** The messages of the errors that a part of the driver creates. */
function messagesOf(name: string, files: string[]): string[] {
  const folder = dirname(require.resolve(name));
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  return [...text.matchAll(/new Error\('((?:[^'\\]|\\.)+)'/g)].map(([, message = '']) => message);
}

/** Errors of a wrong use of the driver, or of the protocol. */
const misuse =
  /^Received unexpected|already been connected|already been released|more than once|^unexpected condition|first parameter|SSL connection/;

describe('isOutage', () => {
  const messages = [...messagesOf('pg', ['client.js', 'connection.js']), ...messagesOf('pg-pool', ['index.js'])];

  it('includes every error of the driver about a connection that ended or was not made', () => {
    const outages = messages.filter((message) => !misuse.test(message));
    expect(outages.length).toBeGreaterThanOrEqual(8);
    expect(outages.filter((message) => !isOutage(new Error(message)))).toEqual([]);
    expect(messages.filter((message) => misuse.test(message) && isOutage(new Error(message)))).toEqual([]);
  });

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
    '57P01',
    '08006',
  ])('includes %s', (code) => {
    expect(isOutage(Object.assign(new Error('it failed'), { code }))).toBe(true);
  });

  it.each(['23505', 'ENOENT', 'EACCES', ''])('does not include %s', (code) => {
    expect(isOutage(Object.assign(new Error('it failed'), { code }))).toBe(false);
  });
});

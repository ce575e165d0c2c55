import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedOf } from '../../../../testing/seed.ts';
import { isOrigin, requireOrigins } from './origins.ts';
import { slow } from '../../../../testing/slow-tests.ts';

const { seed, label } = seedOf(1);

describe(`origins (${label})`, () => {
  it.each([
    'https://example.org',
    'https://example.org:8443',
    'https://a.b.example.org',
    'http://localhost',
    'http://localhost:3000',
    'https://localhost:3000',
    'https://[2001:db8::1]:8443',
    'https://xn--bcher-kva.example',
  ])('accepts %s', (origin) => expect(isOrigin(origin)).toBe(true));

  it.each([
    'http://example.org',
    'https://example.org/',
    'https://example.org:443',
    'http://localhost:80',
    'https://Example.org',
    'https://example.org/path',
    'https://example.org?x',
    'https://user@example.org',
    'https://*.example.org',
    'https://bücher.example',
    'http://localhost.example.org',
    'http://127.0.0.1:3000',
    'null',
    '*',
    '',
    'example.org',
    'https://',
    "https://example.org; script-src 'unsafe-inline'",
    'https://example.org https://evil.example',
  ])('rejects %s', (origin) => expect(isOrigin(origin)).toBe(false));

  it('rejects text that could break out of a header value', slow, () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string({ unit: 'binary' }),
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          if (isOrigin(text)) expect(text).toMatch(/^https?:\/\/[^\s;,'"/?#@]+$/);
        },
      ),
      { seed, numRuns: 2000 },
    );
  });

  it('removes duplicates', () => {
    expect(requireOrigins(['https://a.example', 'https://a.example'])).toEqual(['https://a.example']);
  });
});

import { describe, expect, it } from 'vitest';
import { explainFailure } from './failure.ts';

describe('explainFailure', () => {
  const failure = (code: string, more: object = {}) => Object.assign(new Error('listen'), { code, ...more });

  it('returns one sentence that says what to do', () => {
    expect(explainFailure(failure('EADDRINUSE', { port: 8080 }))).toBe(
      'Port 8080 is taken: stop what listens there, or set PORT (and MEDIA_PORT, MEDIA_UDP_PORT, MEDIA_TCP_PORT) to free ones.',
    );
    expect(explainFailure(failure('EACCES', { port: 80 }))).toContain('set PORT to one above 1023');
    expect(explainFailure(failure('EADDRNOTAVAIL'))).toContain('set HOST');
    const message = 'Redis does not answer at 127.0.0.1:1 (ECONNREFUSED): check REDIS_URL.';
    expect(explainFailure(new Error(message, { cause: new Error('connect') }))).toBe(message);
  });

  it('returns the stack of an unexpected error', () => {
    expect(explainFailure(new TypeError('x is not a function'))).toContain('failure.test.ts');
  });
});

import { describe, expect, it } from 'vitest';
import { SessionCache } from './authenticator.ts';

describe('the cache of sessions', () => {
  it('knows of the newest revocation, however many there were', () => {
    const cache = new SessionCache();
    for (let at = 0; at <= 50_000; at++) cache.drop(`ses_${at}`);
    expect(cache.dropped_at_ms.has('ses_50000')).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { SessionCache } from './authenticator.ts';

describe('SessionCache', () => {
  it('remembers the newest revocation after 50000 others', () => {
    const cache = new SessionCache();
    for (let at = 0; at <= 50_000; at++) cache.drop(`ses_${at}`);
    expect(cache.dropped_at_ms.has('ses_50000')).toBe(true);
  });
});

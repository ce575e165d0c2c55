import { describe, expect, it } from 'vitest';
import { testBus } from '../testing/contracts/bus.contract.ts';
import { connectRedisBus } from './bus.redis.ts';

const url = process.env.REDIS_TEST_URL ?? '';

describe.skipIf(url === '')('the bus on Redis (skipped without REDIS_TEST_URL)', () => {
  testBus(async () => ({ here: await connectRedisBus({ url }), there: await connectRedisBus({ url }) }));
});

describe('the bus without a Redis', () => {
  it('is refused with one clear sentence', async () => {
    const refused = connectRedisBus({ url: 'redis://:a-secret@127.0.0.1:1' });
    await expect(refused).rejects.toThrow(/^Redis does not answer at 127\.0\.0\.1:1 \(.+\): check REDIS_URL\.$/);
  });
});

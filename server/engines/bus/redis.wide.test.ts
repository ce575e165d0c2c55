import { describe, expect, it } from 'vitest';
import { testBus } from '../../testing/contracts/bus.contract.ts';
import { connectRedisBus } from './redis.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

const url = process.env.REDIS_TEST_URL ?? '';

describeUnlessMissing(url ? undefined : 'REDIS_TEST_URL', 'the bus on Redis', () => {
  testBus(async () => ({ here: await connectRedisBus({ url }), there: await connectRedisBus({ url }) }));
});

describe('connectRedisBus without a server', () => {
  it('rejects with one sentence, without the password', async () => {
    const refused = connectRedisBus({ url: 'redis://:a-secret@127.0.0.1:1' });
    await expect(refused).rejects.toThrow(/^Redis does not answer at 127\.0\.0\.1:1 \(.+\): check REDIS_URL\.$/);
  });
});

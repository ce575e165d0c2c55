import { describe } from 'vitest';
import { startSfu } from '../index.ts';
import { testJoin } from '../testing/contracts/join.contract.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };

describe('clients of the native SDK on the embedded server', () => {
  testJoin(async () => {
    const sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key, departure_timeout_s: 1 });
    return { url: sfu.url, ...key, close: () => sfu.close() };
  });
});

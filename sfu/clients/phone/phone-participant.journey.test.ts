import { describe } from 'vitest';
import { startSfu } from '../../index.ts';
import { testPhoneParticipant } from '../../testing/contracts/phone-participant.contract.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };

describe('a phone participant on the embedded server', () => {
  testPhoneParticipant(async () => {
    const sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key, departure_timeout_s: 1 });
    return { url: sfu.url, ...key, close: () => sfu.close() };
  });
});

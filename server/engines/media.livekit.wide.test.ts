import { describe } from 'vitest';
import { testMedia } from '../testing/contracts/media.contract.ts';
import { createLiveKitMedia } from './media.livekit.ts';

/** `http://KEY:SECRET@HOST:PORT` */
const address = process.env.LIVEKIT_TEST_URL ?? '';

describe.skipIf(address === '')('media on a real LiveKit (skipped without LIVEKIT_TEST_URL)', () => {
  testMedia(() => {
    const { host, username, password } = new URL(address);
    const key = { api_key: username, api_secret: password };
    return createLiveKitMedia({ api_url: `http://${host}`, client_url: `ws://${host}`, ...key });
  });
});

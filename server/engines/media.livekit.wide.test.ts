import { describe } from 'vitest';
import { findLiveKit, findWebhookPort } from '../../sfu/testing/livekit.ts';
import { testMedia } from '../testing/contracts/media.contract.ts';
import { createLiveKitMedia } from './media.livekit.ts';

const livekit = findLiveKit();

describe.skipIf(!livekit)('media on a real LiveKit (skipped without LIVEKIT_TEST_URL)', () => {
  testMedia({
    hook_port: findWebhookPort(),
    connect() {
      const { url = '', ...key } = livekit ?? { api_key: '', api_secret: '' };
      return createLiveKitMedia({ api_url: url, client_url: url.replace('http', 'ws'), ...key });
    },
  });
});

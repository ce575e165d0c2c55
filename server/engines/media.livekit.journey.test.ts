import { describe } from 'vitest';
import { startSfu } from '../../sfu/index.ts';
import { testMedia } from '../testing/contracts/media.contract.ts';
import { createLiveKitMedia } from './media.livekit.ts';

const key = { api_key: 'embedded', api_secret: 'a-secret-of-thirty-two-characters' };

describe('media on the embedded server', () => {
  testMedia({
    hook_port: 0,
    async connect(webhook_url) {
      const sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key, webhook_url });
      const media = await createLiveKitMedia({ api_url: sfu.url, client_url: sfu.url.replace('http', 'ws'), ...key });
      return { ...media, close: () => sfu.close() };
    },
  });
});

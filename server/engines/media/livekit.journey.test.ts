import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { startSfu } from '../../../sfu/index.ts';
import { testMedia } from '../../testing/contracts/media.contract.ts';
import { openRecorder } from '../../app/media/recorder.ts';
import { createLiveKitMedia } from './livekit.ts';

const key = { api_key: 'embedded', api_secret: 'a-secret-of-thirty-two-characters' };

describe('media with the embedded server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asterism-recordings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  testMedia({
    hook_port: 0,
    async connect(webhook_url) {
      const sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key, webhook_url });
      const media = await createLiveKitMedia({ api_url: sfu.url, client_url: sfu.url.replace('http', 'ws'), ...key });
      const recorder = await openRecorder({ api_url: sfu.url, ...key }, media, folder, () => undefined);
      return { media: { ...media, close: () => sfu.close() }, recorder };
    },
  });
});

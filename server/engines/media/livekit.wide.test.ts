import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { findLiveKit, findWebhookPort } from '../../../sfu/testing/livekit.ts';
import { testMedia } from '../../testing/contracts/media.contract.ts';
import { openRecorder } from '../../app/media/recorder.ts';
import { createLiveKitMedia } from './livekit.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

const livekit = findLiveKit();

describeUnlessMissing(livekit ? undefined : 'LIVEKIT_TEST_URL', 'media with a real LiveKit server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asterism-recordings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  testMedia({
    hook_port: findWebhookPort(),
    async connect() {
      const { url = '', ...key } = livekit ?? { api_key: '', api_secret: '' };
      const media = await createLiveKitMedia({ api_url: url, client_url: url.replace('http', 'ws'), ...key });
      return { media, recorder: await openRecorder({ api_url: url, ...key }, media, folder, () => undefined) };
    },
  });
});

/**
 * A LiveKit server as the media server: clients connect to it through a gateway in this process, the service directly.
 */
import { createHmac } from 'node:crypto';
import { createLiveKitMedia } from '../../engines/media/livekit.ts';
import type { Config } from '../config/config.ts';
import { admissionUrl, clientUrl } from '../config/config-media.ts';
import type { MediaEngines } from './media-engines.ts';
import { openRecorder } from './recorder.ts';
import { openPhoneParticipants } from './phone-participants.ts';

type LiveKitKey = NonNullable<Config['livekit']>;

/** Starts the gateway and creates the media server's adapters. */
export async function openLiveKit(
  config: Config,
  { url, api_key, api_secret }: LiveKitKey,
  folder: string,
  log: (line: string) => void,
): Promise<MediaEngines> {
  const [{ startGateway }, { createIceServers }] = await Promise.all([
    import('../../../sfu/signal/gateway/index.ts'),
    import('../../../sfu/signal/turn.ts'),
  ]);
  const api_url = url.replace(/^ws/, 'http');
  // Differs from LiveKit's secret, so that LiveKit rejects the tokens of clients; the same on all nodes.
  const client_secret = createHmac('sha256', api_secret).update('tokens of clients').digest('base64url');
  const gateway = await startGateway({
    host: config.host,
    port: config.media_port,
    livekit_url: api_url,
    api_key,
    api_secret,
    client_secret,
    admission_url: admissionUrl(config),
    trust_proxy: config.trust_proxy,
    log: (level, message) => {
      if (level !== 'info') log(`media gateway: ${message}`);
    },
  });
  const media = await createLiveKitMedia({
    api_url,
    client_url: clientUrl(config, gateway.port),
    api_key,
    api_secret,
    client_secret,
    clustered: true,
    iceServersFor: createIceServers(config.ice.urls, config.ice.secret),
  });
  return {
    media: { ...media, close: () => gateway.close() },
    recorder: await openRecorder({ api_url, api_key, api_secret }, media, folder, log),
    phone_participants: openPhoneParticipants({ api_url }, media, log),
  };
}

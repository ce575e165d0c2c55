/** The media server of this repository, which runs beside the service where no other one is configured. */
import { createHmac } from 'node:crypto';
import { createLiveKitMedia } from '../../engines/media/livekit.ts';
import { loadServiceKey, type Config } from '../config/config.ts';
import { admissionUrl, clientUrl, ownUrl } from '../config/config-media.ts';
import type { MediaEngines } from './media-engines.ts';
import { openPhoneParticipants } from './phone-participants.ts';
import { openRecorder } from './recorder.ts';

/** Starts the media server as a child process. Its secret is derived from the service's, so that grants survive a restart. */
export async function openEmbeddedMedia(
  config: Config,
  began_at: Date,
  folder: string,
  log: (line: string) => void,
): Promise<MediaEngines> {
  const [{ startSfuProcess }, { createIceServers }] = await Promise.all([
    import('../../../sfu/child-process.ts'),
    import('../../../sfu/signal/turn.ts'),
  ]);
  const api_key = 'embedded';
  const api_secret = createHmac('sha256', loadServiceKey(config)).update('embedded media server').digest('base64url');
  const options = {
    host: config.host,
    port: config.media_port,
    api_key,
    api_secret,
    node_ip: config.media_node_ip,
    for_this_machine: config.media_for_this_machine,
    udp_port: config.media_udp_port,
    tcp_port: config.media_tcp_port,
    threads: config.media_threads,
    trust_proxy: config.trust_proxy,
    ice: config.ice,
    auto_create: false,
    webhook_url: `${ownUrl(config)}/v1/media/webhook`,
    admission_url: admissionUrl(config),
  };
  const sfu = await startSfuProcess(options, ({ level, message, ...details }) => {
    if (level !== 'info') log(`media server: ${message} ${JSON.stringify(details)}`);
  });
  const media = await createLiveKitMedia({
    api_url: sfu.url,
    client_url: clientUrl(config, Number(new URL(sfu.url).port)),
    api_key,
    api_secret,
    iceServersFor: createIceServers(config.ice.urls, config.ice.secret),
  });
  return {
    media: {
      ...media,
      grant(input) {
        // The client connects as soon as it has the grant.
        sfu.prepare();
        return media.grant(input);
      },
      began_at,
      counts: () => sfu.stats(),
      close: () => sfu.close(),
    },
    recorder: await openRecorder({ api_url: sfu.url, api_key, api_secret }, media, folder, log),
    phone_participants: openPhoneParticipants({ api_url: sfu.url }, media),
  };
}

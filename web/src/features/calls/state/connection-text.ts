import type { Measurement, Path } from './measure-connection.ts';
import { i18n } from '../../../i18n/i18n.ts';

const QUICK_MS = 150;
const BEARABLE_MS = 300;

/** The transport of media, and what it means for a call. */
export function describePath({ protocol, is_relayed }: Path): string {
  if (is_relayed)
    return i18n.t(
      'Audio and video go through a relay over {protocol}, because your network allows no direct connection. It works, with a little more delay.',
      { protocol: protocol.toUpperCase() },
    );
  if (protocol === 'udp')
    return i18n.t('Audio and video go straight to the media server, over UDP. This is the best connection.');
  return i18n.t(
    'Audio and video go to the media server over TCP, because your network blocks UDP. It works, but may stutter when the network is busy.',
  );
}

/** The latency, in words (ITU-T G.114: up to 150 ms one way are not noticed). */
export function describeDelay({ used }: Measurement): string {
  const { round_trip_ms } = used;
  if (round_trip_ms === undefined) return i18n.t('The delay couldn’t be measured.');
  if (round_trip_ms <= QUICK_MS)
    return i18n.t('The round trip takes {round_trip_ms} ms: not noticeable.', { round_trip_ms });
  if (round_trip_ms <= BEARABLE_MS)
    return i18n.t('The round trip takes {round_trip_ms} ms: you may now and then speak at the same time.', {
      round_trip_ms,
    });
  return i18n.t('The round trip takes {round_trip_ms} ms: answers come late. Try another network.', {
    round_trip_ms,
  });
}

import type { Measurement, Path } from './measure-connection.ts';

const QUICK_MS = 150;
const BEARABLE_MS = 300;

/** How sound and picture travel, and what that means for a talk. */
export function describePath({ protocol, is_relayed }: Path): string {
  if (is_relayed)
    return `Sound and picture go by a relay, over ${protocol.toUpperCase()}: your network lets nothing through directly. It works, with a little more delay.`;
  if (protocol === 'udp')
    return 'Sound and picture go straight to the media server, over UDP. That is the best way there is.';
  return 'Sound and picture go to the media server over TCP, because your network lets no UDP through. It works, but may stutter when the line is busy.';
}

/** How long a word is on its way, in words (ITU-T G.114: up to 150 ms one way are not noticed). */
export function describeDelay({ used }: Measurement): string {
  const { round_trip_ms } = used;
  if (round_trip_ms === undefined) return 'How long the way takes could not be measured.';
  const there_and_back = `The way there and back takes ${round_trip_ms} ms`;
  if (round_trip_ms <= QUICK_MS) return `${there_and_back}: not noticeable.`;
  if (round_trip_ms <= BEARABLE_MS) return `${there_and_back}: you may now and then speak at the same time.`;
  return `${there_and_back}: answers come late. Try another network.`;
}

import type { MediaKind } from './rtp-engine.ts';
import { LIMITS } from './limits.ts';

/** What matters here of one media section of a session description (RFC 8866, RFC 8829). */
export type MediaSection = {
  mid: string;
  kind: MediaKind;
  /** Whether the describing side sends in this section. */
  sends: boolean;
  /** The second word of `a=msid`: for LiveKit's clients the cid of their `addTrack`. */
  track_id: string | undefined;
  ssrcs: number[];
  rids: string[];
};

/** The header extensions that the server reads, by their registered names (RFC 9143, RFC 8852, RFC 6464). */
export const EXTENSIONS = {
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  level: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
} as const;

/**
 * Throws when a description is larger than the limits allow, before any parser sees it.
 * @throws Error with a text that may be logged
 */
export function requireSaneDescription(sdp: string): void {
  if (sdp.length > LIMITS.sdp_bytes) throw new Error('session description is too large');
  if (!sdp.startsWith('v=0')) throw new Error('session description is malformed');
  if (sdp.split('\nm=').length - 1 > LIMITS.sdp_sections) throw new Error('too many media sections');
}

/** Reads the audio and video sections of a description. */
export function readSections(sdp: string): MediaSection[] {
  const sections: MediaSection[] = [];
  for (const block of sdp.split(/\r?\nm=/).slice(1)) {
    const lines = block.split(/\r?\n/);
    const [kind, port] = (lines[0] ?? '').split(' ');
    if (kind !== 'audio' && kind !== 'video') continue;
    const values = (name: string) =>
      lines.filter((l) => l.startsWith(`a=${name}:`)).map((l) => l.slice(name.length + 3));
    const direction = lines.find((line) => /^a=(sendrecv|sendonly|recvonly|inactive)$/.test(line)) ?? 'a=sendrecv';
    const ssrcs = values('ssrc').map((value) => Number.parseInt(value, 10));
    sections.push({
      mid: values('mid')[0] ?? '',
      kind,
      sends: port !== '0' && (direction === 'a=sendrecv' || direction === 'a=sendonly'),
      track_id: values('msid')[0]?.split(' ')[1],
      ssrcs: [...new Set(ssrcs.filter((ssrc) => Number.isInteger(ssrc)))],
      rids: values('rid')
        .filter((value) => value.includes(' send'))
        .map((value) => value.split(' ')[0] ?? ''),
    });
  }
  return sections;
}

/** The id of each header extension in a description, by its name. */
export function readExtensionIds(sdp: string): Map<string, number> {
  const ids = new Map<string, number>();
  for (const match of sdp.matchAll(/^a=extmap:(\d+)(?:\/\w+)? (\S+)/gm)) ids.set(match[2] ?? '', Number(match[1]));
  return ids;
}

/**
 * Leaves out of a peer's description what the server must not agree to: transport-wide congestion control (the fixed
 * REMB steers publishers) and the peer's candidates, which an ICE-lite agent does not need (RFC 8445, 2.5) and which
 * would let a client name hosts for the server to talk to.
 */
export function filterRemoteDescription(sdp: string): string {
  return sdp
    .split(/\r?\n/)
    .filter((line) => !/^a=(rtcp-fb:\S+ transport-cc|candidate:|end-of-candidates)/.test(line))
    .join('\r\n');
}

/**
 * Makes the engine's description fit for all browsers: `a=ice-lite` belongs at session level (RFC 8839, 5.3; Firefox
 * insists), and candidates carry the announced address.
 */
export function finishLocalDescription(sdp: string, announced_ip: string | undefined): string {
  const lines = sdp.split('\r\n').filter((line) => line !== 'a=ice-lite');
  const timing = lines.findIndex((line) => line.startsWith('t='));
  lines.splice(timing + 1, 0, 'a=ice-lite');
  if (announced_ip === undefined) return lines.join('\r\n');
  return lines
    .map((line) => {
      if (!line.startsWith('a=candidate:')) return line;
      const words = line.split(' ');
      words[4] = announced_ip;
      return words.join(' ');
    })
    .join('\r\n');
}

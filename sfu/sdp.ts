/** Reading session descriptions (SDP, RFC 8866), as far as a server that mirrors them needs to. */
import { LIMITS } from './limits.ts';
import type { MediaKind } from './rtp-engine.ts';

/** What matters here of one media section (RFC 8829). */
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

/** A section of whatever kind, with what its answer has to repeat. */
export type DescribedSection = Omit<MediaSection, 'kind'> & {
  kind: MediaKind | 'application' | 'other';
  /** The words behind `m=`: kind, port, transport, formats. */
  words: string[];
  rejected: boolean;
  direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
  /** Names of the codecs by payload type, in the order of preference. */
  codecs: Map<number, string>;
  /** Ids of the header extensions by name. */
  extensions: Map<string, number>;
  sctp_port: number | undefined;
};

export type Description = {
  sections: DescribedSection[];
  ufrag: string | undefined;
  fingerprints: { algorithm: string; value: string }[];
  setup: 'actpass' | 'active' | 'passive' | undefined;
};

/** The header extensions that are read or written here, by their registered names (RFC 9143, RFC 8852, RFC 6464). */
export const EXTENSIONS = {
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  level: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  send_time: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
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

const valuesOf = (lines: string[], name: string): string[] =>
  lines.filter((line) => line.startsWith(`a=${name}:`)).map((line) => line.slice(name.length + 3));

const KINDS = new Set(['audio', 'video', 'application']);
const DIRECTION = /^a=(sendrecv|sendonly|recvonly|inactive)$/;

function readSection(lines: string[]): DescribedSection {
  const words = (lines[0] ?? '').split(' ');
  const [kind = '', port] = words;
  const direction = (DIRECTION.exec(lines.find((line) => DIRECTION.test(line)) ?? '')?.[1] ??
    'sendrecv') as DescribedSection['direction'];
  const names = new Map<number, string>();
  for (const value of valuesOf(lines, 'rtpmap')) {
    const [type, codec = ''] = value.split(' ');
    names.set(Number(type), codec.toLowerCase());
  }
  const formats = words.slice(3).map(Number);
  const ssrcs = valuesOf(lines, 'ssrc').map((value) => Number.parseInt(value, 10));
  // Firefox gives a section that joins the others no port of its own until it is answered (RFC 9143, 6).
  const rejected = port === '0' && !lines.includes('a=bundle-only');
  return {
    words,
    kind: KINDS.has(kind) ? (kind as DescribedSection['kind']) : 'other',
    mid: valuesOf(lines, 'mid')[0] ?? '',
    rejected,
    direction,
    sends: !rejected && (direction === 'sendrecv' || direction === 'sendonly'),
    track_id: valuesOf(lines, 'msid')[0]?.split(' ')[1],
    ssrcs: [...new Set(ssrcs.filter((ssrc) => Number.isInteger(ssrc)))],
    rids: valuesOf(lines, 'rid')
      .filter((value) => value.includes(' send'))
      .map((value) => value.split(' ')[0] ?? ''),
    codecs: new Map(formats.flatMap((type) => (names.has(type) ? [[type, names.get(type) ?? '']] : []))),
    extensions: new Map(
      valuesOf(lines, 'extmap').map((value) => {
        const [id = '', name = ''] = value.split(' ');
        return [name, Number.parseInt(id, 10)];
      }),
    ),
    sctp_port: valuesOf(lines, 'sctp-port').map(Number)[0],
  };
}

/** Reads a whole description. ICE and DTLS are one for all sections (BUNDLE), so that the first word counts. */
export function readDescription(sdp: string): Description {
  const blocks = sdp.split(/\r?\nm=/);
  const lines = sdp.split(/\r?\n/);
  const setup = valuesOf(lines, 'setup')[0];
  const fingerprints = valuesOf(lines, 'fingerprint').map((value) => {
    const [algorithm = '', digest = ''] = value.split(' ');
    return { algorithm, value: digest };
  });
  return {
    sections: blocks.slice(1).map((block) => readSection(block.split(/\r?\n/))),
    ufrag: valuesOf(lines, 'ice-ufrag')[0],
    fingerprints: fingerprints.filter(
      (one, index) => fingerprints.findIndex(({ value }) => value === one.value) === index,
    ),
    setup: setup === 'actpass' || setup === 'active' || setup === 'passive' ? setup : undefined,
  };
}

/** Reads the audio and video sections of a description. */
export function readSections(sdp: string): MediaSection[] {
  return readDescription(sdp).sections.filter(
    (section): section is DescribedSection & MediaSection => section.kind === 'audio' || section.kind === 'video',
  );
}

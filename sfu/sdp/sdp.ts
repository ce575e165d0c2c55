/** Parses session descriptions (SDP, RFC 8866), as far as the server needs. */
import { LIMITS } from '../limits.ts';

/** The kinds of media sections that carry RTP. */
export type MediaKind = 'audio' | 'video';

/** The relevant fields of one media section (RFC 8829). */
export type MediaSection = {
  mid: string;
  kind: MediaKind;
  /** Whether the describing side sends in this section. */
  sends: boolean;
  /** The second value of `a=msid`: for LiveKit's clients the cid of their `addTrack`. */
  track_id: string | undefined;
  ssrcs: number[];
  rids: string[];
};

/** A section of any kind, with what its answer must repeat. */
export type DescribedSection = Omit<MediaSection, 'kind'> & {
  kind: MediaKind | 'application' | 'other';
  /** The fields of `m=`: kind, port, transport, formats. */
  fields: string[];
  rejected: boolean;
  direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
  /** Codec names by payload type, in order of preference. */
  codecs: Map<number, string>;
  /** Header extension ids by name. */
  extensions: Map<string, number>;
  sctp_port: number | undefined;
};

/**
 * The relevant fields of a session description: its media, and the credentials of ICE and DTLS (RFC 8839, RFC 8842).
 */
export type Description = {
  sections: DescribedSection[];
  ufrag: string | undefined;
  fingerprints: { algorithm: string; value: string }[];
  setup: 'actpass' | 'active' | 'passive' | undefined;
};

/** The header extensions used here, by their registered names (RFC 9143, RFC 8852, RFC 6464). */
export const EXTENSIONS = {
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  level: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  send_time: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
} as const;

/**
 * Throws when a description exceeds the limits, before it is parsed.
 * @param sections the maximum of media sections
 * @throws Error with a text that may be logged
 */
export function requireValidDescription(sdp: string, sections: number): void {
  if (sdp.length > LIMITS.sdp_bytes) throw new Error('session description is too large');
  if (!sdp.startsWith('v=0')) throw new Error('session description is malformed');
  if (sdp.split('\nm=').length - 1 > sections) throw new Error('too many media sections');
}

const KINDS: ReadonlySet<string> = new Set(['audio', 'video', 'application']);
const EXTENSION_NAMES: ReadonlySet<string> = new Set(Object.values(EXTENSIONS));

/** A section while it is parsed. */
type OpenSection = {
  fields: string[];
  direction: DescribedSection['direction'] | undefined;
  is_bundle_only: boolean;
  mid: string | undefined;
  msid: string | undefined;
  ssrcs: Set<number>;
  rids: string[];
  codec_names: Map<number, string>;
  extensions: Map<string, number>;
  sctp_port: number | undefined;
};

function openSection(line: string): OpenSection {
  const fields = line.split(' ', LIMITS.sdp_formats + 4);
  if (fields.length > LIMITS.sdp_formats + 3) throw new Error('a media section names too many formats');
  return {
    fields,
    direction: undefined,
    is_bundle_only: false,
    mid: undefined,
    msid: undefined,
    ssrcs: new Set(),
    rids: [],
    codec_names: new Map(),
    extensions: new Map(),
    sctp_port: undefined,
  };
}

/** The significant values, which are the first ones. */
const firstWords = (value: string): string[] => value.split(' ', 2);

function requireShort(value: string): string {
  if (value.length > LIMITS.sdp_word_characters) throw new Error('a name in the session description is too long');
  return value;
}

const chooseDirection = (section: OpenSection, direction: DescribedSection['direction']) => {
  section.direction ??= direction;
};

/** Parses the attributes of a section by name; of repeated attributes and directions the first counts. */
const SECTION_ATTRIBUTES: Record<string, (section: OpenSection, value: string) => void> = {
  sendrecv: (section) => chooseDirection(section, 'sendrecv'),
  sendonly: (section) => chooseDirection(section, 'sendonly'),
  recvonly: (section) => chooseDirection(section, 'recvonly'),
  inactive: (section) => chooseDirection(section, 'inactive'),
  // Firefox gives a bundled section no port of its own until it is answered (RFC 9143, 6).
  'bundle-only': (section) => {
    section.is_bundle_only = true;
  },
  mid: (section, value) => {
    section.mid ??= requireShort(value);
  },
  msid: (section, value) => {
    section.msid ??= requireShort(value);
  },
  'sctp-port': (section, value) => {
    section.sctp_port ??= Number(value);
  },
  rtpmap: (section, value) => {
    const [type = '', codec = ''] = firstWords(value);
    // Payload types have seven bits (RFC 3550, 5.1).
    if (/^\d{1,3}$/.test(type) && Number(type) < 128)
      section.codec_names.set(Number(type), requireShort(codec.toLowerCase()));
  },
  extmap: (section, value) => {
    const [id = '', name = ''] = firstWords(value);
    if (EXTENSION_NAMES.has(name)) section.extensions.set(name, Number.parseInt(id, 10));
  },
  ssrc: (section, value) => {
    const ssrc = Number.parseInt(value, 10);
    if (!Number.isInteger(ssrc)) return;
    section.ssrcs.add(ssrc);
    if (section.ssrcs.size > LIMITS.sdp_ssrcs) throw new Error('a media section names too many streams');
  },
  rid: (section, value) => {
    const [rid = '', direction] = firstWords(value);
    if (direction !== 'send') return;
    if (section.rids.push(requireShort(rid)) > LIMITS.sdp_rids) throw new Error('a media section has too many layers');
  },
};

function closeSection(section: OpenSection): DescribedSection {
  const { fields, direction = 'sendrecv', codec_names } = section;
  const [kind = '', port] = fields;
  const rejected = port === '0' && !section.is_bundle_only;
  const formats = fields.slice(3).map(Number);
  return {
    fields,
    kind: KINDS.has(kind) ? (kind as DescribedSection['kind']) : 'other',
    mid: section.mid ?? '',
    rejected,
    direction,
    sends: !rejected && (direction === 'sendrecv' || direction === 'sendonly'),
    track_id: section.msid?.split(' ')[1],
    ssrcs: [...section.ssrcs],
    rids: section.rids,
    codecs: new Map(
      formats.flatMap((type) => (codec_names.has(type) ? [[type, codec_names.get(type) ?? ''] as const] : [])),
    ),
    extensions: section.extensions,
    sctp_port: section.sctp_port,
  };
}

/**
 * Parses session-wide attributes: with BUNDLE, ICE and DTLS are the same for all sections, so that the first value
 * counts.
 */
function readShared(description: Description, name: string, value: string): void {
  if (name === 'ice-ufrag') description.ufrag ??= requireShort(value);
  else if (name === 'setup') {
    if (value === 'actpass' || value === 'active' || value === 'passive') description.setup ??= value;
  } else if (name === 'fingerprint') {
    const [algorithm = '', digest = ''] = firstWords(value);
    if (description.fingerprints.some((known) => known.value === digest)) return;
    const count = description.fingerprints.push({ algorithm, value: requireShort(digest) });
    if (count > LIMITS.sdp_fingerprints) throw new Error('session description names too many certificates');
  }
}

/**
 * Parses a whole description in one pass, in linear time.
 * @throws Error with a text that may be logged, when something in it exceeds the limits
 */
export function readDescription(sdp: string): Description {
  const description: Description = { sections: [], ufrag: undefined, fingerprints: [], setup: undefined };
  let section: OpenSection | undefined;
  for (const line of readLines(sdp)) {
    if (line.startsWith('m=')) {
      if (section) description.sections.push(closeSection(section));
      section = openSection(line.slice(2));
    } else if (line.startsWith('a=')) {
      const colon = line.indexOf(':');
      const name = colon < 0 ? line.slice(2) : line.slice(2, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1);
      if (section && Object.hasOwn(SECTION_ATTRIBUTES, name)) SECTION_ATTRIBUTES[name]?.(section, value);
      else readShared(description, name, value);
    }
  }
  if (section) description.sections.push(closeSection(section));
  return description;
}

function* readLines(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    yield text.slice(at, end > at && text[end - 1] === '\r' ? end - 1 : end);
    at = end + 1;
  }
}

/** The audio and video sections of a description. */
export const mediaSectionsOf = ({ sections }: Description): MediaSection[] =>
  sections.filter(
    (section): section is DescribedSection & MediaSection => section.kind === 'audio' || section.kind === 'video',
  );

/** Parses the audio and video sections of a description. @throws Error as `readDescription` */
export const readSections = (sdp: string): MediaSection[] => mediaSectionsOf(readDescription(sdp));

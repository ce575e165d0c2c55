/** Writes the two kinds of SDP that a server needs: the answer to a publisher, and the offer to a subscriber. */
import { EXTENSIONS, type DescribedSection, type MediaKind } from './sdp.ts';

/** The requested encoding of a microphone. */
export type AudioParameters = { dtx: boolean; stereo: boolean; red: boolean };

/** An address at which media is received (RFC 8839). */
export type Candidate = { ip: string; port: number; protocol: 'udp' | 'tcp' };

/** The transport attributes of both. */
export type TransportDescription = {
  ufrag: string;
  password: string;
  fingerprints: { algorithm: string; value: string }[];
  setup: 'actpass' | 'passive' | 'active';
  candidates: Candidate[];
};

/** One section of an offer: a stream to the subscriber, or the slot of an ended one. */
export type OfferedSection = {
  mid: string;
  kind: MediaKind;
  stream: { ssrc: number; rtx_ssrc: number; stream_id: string; track_id: string; stereo: boolean } | undefined;
};

/** The payload types and extension ids of our offers. */
export const OPUS = 111;
export const RED = 63;
export const VP8 = 96;
export const RTX = 97;
export const SEND_TIME_ID = 3;

const OPUS_FORMAT = 'minptime=10;useinbandfec=1';
const VIDEO_FEEDBACK = ['nack', 'nack pli', 'ccm fir', 'goog-remb'];
const ANSWERED_EXTENSIONS: Record<MediaKind, string[]> = {
  audio: [EXTENSIONS.mid, EXTENSIONS.level],
  video: [EXTENSIONS.mid, EXTENSIONS.rid],
};

function writeSession(version: number, bundled: string[]): string[] {
  return [
    'v=0',
    `o=- 1 ${version} IN IP4 0.0.0.0`,
    's=-',
    't=0 0',
    // At session level, where Firefox expects it (RFC 8839, 5.3).
    'a=ice-lite',
    ...(bundled.length > 0 ? [`a=group:BUNDLE ${bundled.join(' ')}`] : []),
    'a=msid-semantic:WMS *',
  ];
}

/** UDP before TCP, and addresses in order (RFC 8445, 5.1.2). */
function writeCandidates(candidates: Candidate[]): string[] {
  const lines = candidates.map(({ ip, port, protocol }, index) => {
    const priority = (126 << 24) + ((protocol === 'udp' ? 0xff00 : 0x7f00) - index) * 256 + 255;
    const kind = protocol === 'udp' ? 'typ host' : 'typ host tcptype passive';
    return `a=candidate:${index + 1} 1 ${protocol} ${priority} ${ip} ${port} ${kind}`;
  });
  return [...lines, 'a=end-of-candidates'];
}

function writeTransport({ ufrag, password, fingerprints, setup }: TransportDescription): string[] {
  return [
    'c=IN IP4 0.0.0.0',
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${password}`,
    ...fingerprints.map(({ algorithm, value }) => `a=fingerprint:${algorithm} ${value}`),
    `a=setup:${setup}`,
  ];
}

const writeData = (mid: string): string[] => [`a=mid:${mid}`, 'a=sctp-port:5000', 'a=max-message-size:65536'];

/** The accepted payload types of an offered section, in order of preference. */
function chooseCodecs({ kind, codecs }: DescribedSection, parameters: AudioParameters): [number, string][] {
  const all = [...codecs];
  if (kind === 'video') return all.filter(([, codec]) => codec === 'vp8/90000').slice(0, 1);
  const opus = all.find(([, codec]) => codec === 'opus/48000/2');
  const red = all.find(([, codec]) => codec === 'red/48000/2');
  if (!opus) return [];
  // Senders use the first one.
  return parameters.red && red ? [red, opus] : [opus];
}

function writeCodec(type: number, codec: string, opus: number | undefined, parameters: AudioParameters): string[] {
  if (codec.startsWith('vp8'))
    return [`a=rtpmap:${type} VP8/90000`, ...VIDEO_FEEDBACK.map((word) => `a=rtcp-fb:${type} ${word}`)];
  const lines = [`a=rtpmap:${type} ${codec}`];
  if (codec.startsWith('red')) return [...lines, `a=fmtp:${type} ${opus}/${opus}`];
  const format = [
    OPUS_FORMAT,
    ...(parameters.dtx ? ['usedtx=1'] : []),
    ...(parameters.stereo ? ['stereo=1'] : []),
  ].join(';');
  return [...lines, `a=fmtp:${type} ${format}`];
}

function answerMedia(section: DescribedSection, codecs: [number, string][], parameters: AudioParameters): string[] {
  const kind = section.kind as MediaKind;
  const opus = codecs.find(([, codec]) => codec.startsWith('opus'))?.[0];
  const extensions = ANSWERED_EXTENSIONS[kind].flatMap((name) => {
    const id = section.extensions.get(name);
    return id === undefined ? [] : [`a=extmap:${id} ${name}`];
  });
  return [
    `a=mid:${section.mid}`,
    section.sends ? 'a=recvonly' : 'a=inactive',
    'a=rtcp-mux',
    'a=rtcp-rsize',
    ...extensions,
    ...codecs.flatMap(([type, codec]) => writeCodec(type, codec, opus, parameters)),
    ...section.rids.map((rid) => `a=rid:${rid} recv`),
    ...(section.rids.length > 0 ? [`a=simulcast:recv ${section.rids.join(';')}`] : []),
  ];
}

/**
 * Writes the answer to a publisher's offer: Opus, VP8 and data are accepted, anything else is rejected.
 * @param audioParametersOf the audio parameters of a section
 */
export function writeAnswer(
  version: number,
  sections: DescribedSection[],
  transport: TransportDescription,
  audioParametersOf: (section: DescribedSection) => AudioParameters,
): string {
  const answered = sections.map((section) => {
    const parameters = audioParametersOf(section);
    const is_media = section.kind === 'audio' || section.kind === 'video';
    const codecs = is_media ? chooseCodecs(section, parameters) : [];
    const accepted = !section.rejected && (section.kind === 'application' || codecs.length > 0);
    return { section, parameters, codecs, accepted };
  });
  const bundled = answered.filter(({ accepted }) => accepted).map(({ section }) => section.mid);
  const lines = writeSession(version, bundled);
  for (const { section, parameters, codecs, accepted } of answered) {
    const [kind, , protocol, ...formats] = section.fields;
    if (!accepted) {
      lines.push(
        `m=${kind} 0 ${protocol} ${formats.join(' ')}`,
        'c=IN IP4 0.0.0.0',
        `a=mid:${section.mid}`,
        'a=inactive',
      );
      continue;
    }
    const types = section.kind === 'application' ? formats : codecs.map(([type]) => type);
    lines.push(`m=${kind} 9 ${protocol} ${types.join(' ')}`, ...writeTransport(transport));
    lines.push(...(section.kind === 'application' ? writeData(section.mid) : answerMedia(section, codecs, parameters)));
    if (section.mid === bundled[0]) lines.push(...writeCandidates(transport.candidates));
  }
  return `${lines.join('\r\n')}\r\n`;
}

function offerMedia({ mid, kind, stream }: OfferedSection): string[] {
  const audio = [
    `a=rtpmap:${OPUS} opus/48000/2`,
    // LiveKit's clients request stereo where the sender has it (RFC 7587, 6.1).
    `a=fmtp:${OPUS} ${OPUS_FORMAT}${stream?.stereo ? ';sprop-stereo=1' : ''}`,
    `a=rtpmap:${RED} red/48000/2`,
    `a=fmtp:${RED} ${OPUS}/${OPUS}`,
  ];
  const video = [
    `a=extmap:${SEND_TIME_ID} ${EXTENSIONS.send_time}`,
    `a=rtpmap:${VP8} VP8/90000`,
    ...VIDEO_FEEDBACK.map((word) => `a=rtcp-fb:${VP8} ${word}`),
    `a=rtpmap:${RTX} rtx/90000`,
    `a=fmtp:${RTX} apt=${VP8}`,
  ];
  return [
    `a=mid:${mid}`,
    stream ? 'a=sendonly' : 'a=inactive',
    'a=rtcp-mux',
    'a=rtcp-rsize',
    ...(kind === 'audio' ? audio : video),
    ...(stream ? offerStream(kind, stream) : []),
  ];
}

/** A stream, and for video its RTX stream (RFC 4588, RFC 5576). */
function offerStream(kind: MediaKind, { ssrc, rtx_ssrc, stream_id, track_id }: NonNullable<OfferedSection['stream']>) {
  const ssrcs = kind === 'video' ? [ssrc, rtx_ssrc] : [ssrc];
  return [
    `a=msid:${stream_id} ${track_id}`,
    ...(kind === 'video' ? [`a=ssrc-group:FID ${ssrc} ${rtx_ssrc}`] : []),
    ...ssrcs.flatMap((each) => [`a=ssrc:${each} cname:asterism`, `a=ssrc:${each} msid:${stream_id} ${track_id}`]),
  ];
}

/** Writes an offer: the data channels under mid `0`, then the streams. */
export function writeOffer(version: number, sections: OfferedSection[], transport: TransportDescription): string {
  const lines = writeSession(version, ['0', ...sections.map(({ mid }) => mid)]);
  lines.push('m=application 9 UDP/DTLS/SCTP webrtc-datachannel', ...writeTransport(transport), ...writeData('0'));
  lines.push(...writeCandidates(transport.candidates));
  for (const section of sections) {
    const types = section.kind === 'audio' ? `${OPUS} ${RED}` : `${VP8} ${RTX}`;
    lines.push(`m=${section.kind} 9 UDP/TLS/RTP/SAVPF ${types}`, ...writeTransport(transport), ...offerMedia(section));
  }
  return `${lines.join('\r\n')}\r\n`;
}

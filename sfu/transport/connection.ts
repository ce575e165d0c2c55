/** One media connection to a client: ICE, DTLS, SRTP and SCTP, by offer and answer. */
import type {
  Codec,
  ConnectionEvents,
  DataChannel,
  MediaConnection,
  MediaKind,
  Outgoing,
  OutgoingOptions,
  ReportBlock,
  RtpEngine,
  AudioParameters,
} from '../forwarding/rtp-engine.ts';
import { createRateGate, LIMITS } from '../limits.ts';
import { writeAnswer, writeOffer, type TransportDescription } from '../sdp/sdp-writer.ts';
import { EXTENSIONS, type Description } from '../sdp/sdp.ts';
import {
  readFeedback,
  writeBandwidth,
  writeNack,
  writePictureLoss,
  writeReceiverReports,
  writeSenderReport,
} from './control.ts';
import { loadWerift } from './handshake-guard.ts';
import { IceLiteAgent } from './ice-lite.ts';
import type { MediaPort } from './media-port.ts';
import type { Werift } from './control.ts';
import { SecureChannel } from './secure-channel.ts';
import type { SrtpTransform } from './srtp.ts';
import { Stream, type Section } from './stream.ts';

const CODECS: Record<string, Codec> = { 'opus/48000/2': 'opus', 'red/48000/2': 'red', 'vp8/90000': 'vp8' };

/** The fixed part of an RTP header (RFC 3550, 5.1). */
const RTP_HEADER_BYTES = 12;

/** Loads werift, which provides DTLS, SCTP and RTCP formats, and creates an engine on a port. */
export async function loadEngine(port: MediaPort): Promise<RtpEngine> {
  const werift = await loadWerift();
  return { createConnection: (events) => new Connection(werift, port, events) };
}

class Connection implements MediaConnection {
  readonly #werift: Werift;
  readonly #port: MediaPort;
  readonly #events: ConnectionEvents;
  readonly #agent: IceLiteAgent;
  readonly #channel: SecureChannel;
  readonly #sections: Section[] = [];
  readonly #codecs = new Map<number, Codec>();
  readonly #forgeries = createRateGate(LIMITS.forged_per_second, LIMITS.forged_burst);
  #extension_ids = { mid: 0, rid: 0, level: 0 };
  #transform: SrtpTransform | undefined;
  #remote_ufrag: string | undefined;
  #version = 0;
  #closed = false;

  constructor(werift: Werift, port: MediaPort, events: ConnectionEvents) {
    this.#werift = werift;
    this.#port = port;
    this.#events = events;
    this.#agent = new IceLiteAgent(port, {
      onPath: () => undefined,
      onData: (data) => this.#receive(data),
      onError: events.onError,
    });
    this.#channel = new SecureChannel(werift, this.#forgeries, {
      send: (data) => this.#agent.send(data),
      onConnected: (transform) => {
        this.#transform = transform;
        events.onState('connected');
      },
      onFailed: () => {
        if (!this.#closed) events.onState('failed');
      },
      onData: events.onData,
      admitData: events.admitData,
      received: events.received,
      onError: events.onError,
    });
  }

  /** Demultiplexes protocols by the first byte (RFC 7983), and RTCP from RTP by the second (RFC 5761). */
  #receive(data: Buffer): void {
    const [first = 0, second = 0] = data;
    if (first >= 20 && first < 64) return this.#channel.receive(data);
    if (first < 128 || first > 191 || !this.#transform) return;
    if (second < 192 || second > 223) return this.#receiveRtp(data, this.#transform);
    for (const packet of this.#channel.readControl(data))
      for (const feedback of readFeedback(this.#werift, packet)) this.#events.onFeedback(feedback);
  }

  #receiveRtp(data: Buffer, transform: SrtpTransform): void {
    if (data.length < RTP_HEADER_BYTES) return;
    // Payload type and SSRC are readable before decryption (RFC 3711, 3.1).
    const codec = this.#codecs.get((data[1] as number) & 0x7f);
    if (!codec || !this.#mayOpen(data.readUInt32BE(8), data.length, transform)) return;
    const packet = transform.open(data);
    if (!packet) return void this.#forgeries.take(performance.now());
    if (!this.#events.admitRtp(packet.ssrc, data.length)) return;
    const { ssrc, sequence, timestamp, marker, payload } = packet;
    let mid: string | undefined;
    let rid: string | undefined;
    let level_db: number | undefined;
    for (const { id, value } of packet.extensions) {
      if (id === this.#extension_ids.level) level_db = (value[0] ?? 127) & 0x7f;
      else if (id === this.#extension_ids.mid) mid = value.toString('latin1');
      else if (id === this.#extension_ids.rid) rid = value.toString('latin1');
    }
    this.#events.onRtp({ ssrc, codec, sequence, timestamp, marker, payload, mid, rid, level_db });
  }

  /** Whether a packet is worth decrypting: anybody can send one that claims to be of the peer. */
  #mayOpen(ssrc: number, bytes: number, transform: SrtpTransform): boolean {
    if (!this.#events.mayAdmitRtp(ssrc, bytes)) return false;
    return transform.knows(ssrc) || this.#forgeries.has(performance.now());
  }

  #describe(setup: TransportDescription['setup']): TransportDescription {
    const { ufrag, password } = this.#agent.credentials;
    return { ufrag, password, setup, fingerprints: this.#channel.fingerprints(), candidates: this.#port.candidates() };
  }

  acceptOffer(offer: Description, audioParametersOf: (track_id: string | undefined) => AudioParameters): string {
    if (offer.fingerprints.length === 0 || offer.sections.length === 0) throw new Error('offer lacks what it needs');
    this.#noteCodecs(offer);
    // New credentials of the peer require new ones here (RFC 8445, 9).
    if (this.#remote_ufrag !== undefined && offer.ufrag !== this.#remote_ufrag) this.#agent.restart();
    this.#remote_ufrag = offer.ufrag;
    this.#channel.begin(offer);
    const description = this.#describe(this.#channel.role());
    return writeAnswer(++this.#version, offer.sections, description, ({ track_id }) => audioParametersOf(track_id));
  }

  /** An offer describes everything that is sent, and replaces earlier ones. */
  #noteCodecs({ sections }: Description): void {
    this.#codecs.clear();
    for (const { codecs, extensions } of sections) {
      for (const [type, name] of codecs) {
        const codec = CODECS[name];
        if (codec) this.#codecs.set(type, codec);
      }
      for (const name of ['mid', 'rid', 'level'] as const)
        this.#extension_ids[name] = extensions.get(EXTENSIONS[name]) ?? this.#extension_ids[name];
    }
  }

  createOffer(restart: boolean): string {
    if (restart) this.#agent.restart();
    for (const section of this.#sections) section.offered_ssrc = section.stream?.ssrc;
    return writeOffer(++this.#version, this.#sections, this.#describe('actpass'));
  }

  acceptAnswer(answer: Description): void {
    if (answer.fingerprints.length === 0) throw new Error('answer lacks what it needs');
    const answered = new Map(answer.sections.map((section) => [section.mid, section]));
    for (const section of this.#sections) {
      const { rejected = true, codecs } = answered.get(section.mid) ?? {};
      section.answered_ssrc = rejected ? undefined : section.offered_ssrc;
      const names = [...(codecs?.values() ?? [])];
      section.takes_red = names.includes('red/48000/2');
      section.takes_rtx = names.includes('rtx/90000');
    }
    this.#channel.begin(answer);
  }

  addOutgoing(kind: MediaKind, options: OutgoingOptions): Outgoing {
    const free = this.#sections.find(
      (section) => section.kind === kind && !section.stream && section.offered_ssrc === undefined,
    );
    const section = free ?? {
      mid: String(this.#sections.length + 1),
      kind,
      stream: undefined,
      offered_ssrc: undefined,
      answered_ssrc: undefined,
      takes_red: false,
      takes_rtx: false,
    };
    if (!free) this.#sections.push(section);
    return new Stream(section, options, {
      transform: () => this.#transform,
      send: (data) => this.#agent.send(data),
      report: (report) => this.#channel.sendControl(writeSenderReport(this.#werift, report)),
    });
  }

  openDataChannel(label: string, reliable: boolean, onOpen: () => void): DataChannel {
    return this.#channel.openDataChannel(label, reliable, onOpen);
  }

  requestKeyFrame(ssrc: number): void {
    this.#channel.sendControl(writePictureLoss(this.#werift, ssrc));
  }

  requestPackets(ssrc: number, sequences: number[]): void {
    this.#channel.sendControl(writeNack(this.#werift, ssrc, sequences));
  }

  sendReceiverReport(blocks: ReportBlock[]): void {
    for (const report of writeReceiverReports(this.#werift, blocks)) this.#channel.sendControl(report);
  }

  sendBandwidth(bits_per_second: number, ssrcs: number[]): void {
    this.#channel.sendControl(writeBandwidth(this.#werift, bits_per_second, ssrcs));
  }

  lastSeenAt(): number {
    return this.#agent.seen_at_ms;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#transform = undefined;
    await this.#channel.close();
    this.#agent.close();
    this.#events.onState('closed');
  }
}

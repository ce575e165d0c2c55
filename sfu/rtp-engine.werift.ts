import type { RTCDtlsTransport, RTCPeerConnection, RtcpPacket, RtpPacket } from 'werift';
import { RolloverCounter, sendRtp } from './srtp-sender.ts';
import { createPeerConnection, type Werift } from './werift-peer.ts';
import { EXTENSIONS, filterRemoteDescription, finishLocalDescription, readExtensionIds } from './sdp.ts';
import type {
  ConnectionEvents,
  ConnectionState,
  DataChannel,
  EngineOptions,
  MediaConnection,
  MediaKind,
  Outgoing,
  ReportBlock,
  RtpEngine,
  RtpOut,
} from './rtp-engine.ts';

/** The SSRC of our own reports; we send no stream under it. */
const REPORTER_SSRC = 1;

/**
 * Loads werift and makes an engine of it. Of werift the ICE, DTLS, SRTP and SCTP parts and the description builder
 * are used; its RTP router, NACK handler, receivers and senders are passed by, because they mix simulcast layers and
 * copy every packet.
 */
export async function loadWeriftEngine(options: EngineOptions): Promise<RtpEngine> {
  const werift = await import('werift');
  return { createConnection: (events) => new WeriftConnection(werift, options, events) };
}

class WeriftConnection implements MediaConnection {
  readonly #werift: Werift;
  readonly #peer: RTCPeerConnection;
  readonly #events: ConnectionEvents;
  readonly #announced_ip: string | undefined;
  readonly #hooked = new Set<RTCDtlsTransport>();
  #transport: RTCDtlsTransport | undefined;
  #extension_ids = { mid: 0, rid: 0, level: 0 };
  #last_seen_at = performance.now();

  constructor(werift: Werift, options: EngineOptions, events: ConnectionEvents) {
    this.#werift = werift;
    this.#events = events;
    this.#announced_ip = options.node_ip;
    this.#peer = createPeerConnection(werift, options, () => {
      this.#last_seen_at = performance.now();
    });
    this.#peer.connectionStateChange.subscribe((state) => {
      const known: Record<string, ConnectionState> = {
        connecting: 'connecting',
        connected: 'connected',
        failed: 'failed',
        closed: 'closed',
      };
      const named = known[state];
      if (named) events.onState(named);
    });
    this.#peer.onDataChannel.subscribe((channel) => {
      channel.onMessage.subscribe((data) => {
        events.onData(channel.label, typeof data === 'string' ? Buffer.from(data) : data);
      });
    });
  }

  /** Takes the packets of each transport before werift's own router. */
  #hookTransports(): void {
    for (const transport of this.#peer.dtlsTransports) {
      this.#transport = transport;
      if (this.#hooked.has(transport)) continue;
      this.#hooked.add(transport);
      transport.onRtp.allUnsubscribe();
      transport.onRtcp.allUnsubscribe();
      transport.onRtp.subscribe((packet) => this.#receiveRtp(packet));
      transport.onRtcp.subscribe((packet) => this.#receiveRtcp(packet));
    }
  }

  #receiveRtp(packet: RtpPacket): void {
    const { header, payload } = packet;
    let mid: string | undefined;
    let rid: string | undefined;
    let level_db: number | undefined;
    for (const { id, payload: value } of header.extensions) {
      if (id === this.#extension_ids.mid) mid = value.toString('latin1');
      else if (id === this.#extension_ids.rid) rid = value.toString('latin1');
      else if (id === this.#extension_ids.level) level_db = (value[0] ?? 127) & 0x7f;
    }
    this.#events.onRtp({
      ssrc: header.ssrc,
      payload_type: header.payloadType,
      sequence: header.sequenceNumber,
      timestamp: header.timestamp,
      marker: header.marker,
      payload,
      mid,
      rid,
      level_db,
    });
  }

  #receiveRtcp(packet: RtcpPacket): void {
    const { RtcpSrPacket, RtcpTransportLayerFeedback, RtcpPayloadSpecificFeedback, GenericNack } = this.#werift;
    if (packet instanceof RtcpSrPacket) {
      const { ntpTimestamp, rtpTimestamp } = packet.senderInfo;
      this.#events.onFeedback({
        type: 'sender-report',
        ssrc: packet.ssrc,
        ntp: ntpTimestamp,
        rtp_timestamp: rtpTimestamp,
      });
    } else if (packet instanceof RtcpTransportLayerFeedback && packet.feedback instanceof GenericNack) {
      const { mediaSourceSsrc, lost } = packet.feedback;
      this.#events.onFeedback({ type: 'nack', ssrc: mediaSourceSsrc, sequences: lost });
    } else if (packet instanceof RtcpPayloadSpecificFeedback) {
      const { feedback } = packet;
      if (feedback instanceof this.#werift.PictureLossIndication)
        this.#events.onFeedback({ type: 'picture-loss', ssrc: feedback.mediaSsrc });
      else if ('fir' in feedback)
        for (const { ssrc } of feedback.fir) this.#events.onFeedback({ type: 'picture-loss', ssrc });
    }
  }

  async acceptOffer(sdp: string): Promise<string> {
    const ids = readExtensionIds(sdp);
    this.#extension_ids = {
      mid: ids.get(EXTENSIONS.mid) ?? 0,
      rid: ids.get(EXTENSIONS.rid) ?? 0,
      level: ids.get(EXTENSIONS.level) ?? 0,
    };
    await this.#peer.setRemoteDescription({ type: 'offer', sdp: filterRemoteDescription(sdp) });
    this.#hookTransports();
    // The DTLS server chooses the cipher, and of ours AES-GCM costs least; an offer leaves the choice of roles (RFC 8842).
    if (sdp.includes('a=setup:actpass'))
      for (const transport of this.#peer.dtlsTransports) if (transport.role === 'auto') transport.role = 'server';
    await this.#peer.setLocalDescription(await this.#peer.createAnswer());
    this.#checkAgain();
    return this.#finish();
  }

  async createOffer(restart: boolean): Promise<string> {
    await this.#peer.setLocalDescription(await this.#peer.createOffer({ iceRestart: restart }));
    this.#hookTransports();
    return this.#finish();
  }

  #finish(): string {
    return finishLocalDescription(this.#peer.localDescription?.sdp ?? '', this.#announced_ip);
  }

  async acceptAnswer(sdp: string): Promise<void> {
    await this.#peer.setRemoteDescription({ type: 'answer', sdp: filterRemoteDescription(sdp) });
    this.#hookTransports();
    this.#checkAgain();
  }

  /** After an ICE restart werift waits to be told that the new checks may begin; without them nothing is sent. */
  #checkAgain(): void {
    for (const transport of this.#peer.iceTransports) {
      const { connection } = transport;
      const is_restarted = this.#transport?.state === 'connected' && connection.nominated === undefined;
      // Ending the connection ends the wait; the sweep of the room finds a peer that does not come.
      if (is_restarted && connection.remoteUsername !== '') transport.start().catch(() => undefined);
    }
  }

  addOutgoing(kind: MediaKind, stream_id: string, track_id: string): Outgoing {
    const werift = this.#werift;
    const transceiver = this.#peer.addTransceiver(kind, { direction: 'sendonly' });
    const { sender } = transceiver;
    // The track id in the msid is how clients find the track; werift makes up one of its own.
    Object.assign(sender, { trackId: track_id });
    sender.streamIds = [stream_id];
    const rollovers = new RolloverCounter();
    let packets = 0;
    let octets = 0;
    return {
      ssrc: sender.ssrc,
      mid: () => transceiver.mid ?? undefined,
      send: (packet: RtpOut) => {
        const payload_type = sender.codec?.payloadType;
        const transport = this.#transport;
        if (payload_type === undefined || transport?.state !== 'connected') return;
        packets++;
        octets += packet.payload.length;
        sendRtp(transport, payload_type, sender.ssrc, packet, rollovers.at(packet.sequence));
      },
      sendReport: (ntp, rtp_timestamp) => {
        const senderInfo = new werift.RtcpSenderInfo({
          ntpTimestamp: ntp,
          rtpTimestamp: rtp_timestamp >>> 0,
          packetCount: packets >>> 0,
          octetCount: octets >>> 0,
        });
        this.#sendRtcp(new werift.RtcpSrPacket({ ssrc: sender.ssrc, senderInfo }));
      },
      stop: () => transceiver.stop(),
    };
  }

  openDataChannel(label: string, reliable: boolean, onOpen: () => void): DataChannel {
    const channel = this.#peer.createDataChannel(
      label,
      reliable ? { ordered: true } : { ordered: false, maxRetransmits: 0 },
    );
    channel.stateChanged.subscribe((state) => {
      if (state === 'open') onOpen();
    });
    return {
      isOpen: () => channel.readyState === 'open',
      bufferedBytes: () => channel.bufferedAmount,
      send: (data) => channel.send(data),
    };
  }

  #sendRtcp(packet: RtcpPacket): void {
    if (this.#transport?.state === 'connected') this.#transport.sendRtcp([packet]).catch(() => undefined);
  }

  requestKeyFrame(ssrc: number): void {
    const { RtcpPayloadSpecificFeedback, PictureLossIndication } = this.#werift;
    const feedback = new PictureLossIndication({ senderSsrc: REPORTER_SSRC, mediaSsrc: ssrc });
    this.#sendRtcp(new RtcpPayloadSpecificFeedback({ feedback }));
  }

  requestPackets(ssrc: number, sequences: number[]): void {
    const { RtcpTransportLayerFeedback, GenericNack } = this.#werift;
    const lost = [...sequences].sort((a, b) => a - b);
    const feedback = new GenericNack({ senderSsrc: REPORTER_SSRC, mediaSourceSsrc: ssrc, lost });
    this.#sendRtcp(new RtcpTransportLayerFeedback({ feedback }));
  }

  sendReceiverReport(blocks: ReportBlock[]): void {
    const { RtcpRrPacket, RtcpReceiverInfo } = this.#werift;
    const reports = blocks.map(
      (block) =>
        new RtcpReceiverInfo({
          ssrc: block.ssrc,
          fractionLost: block.fraction_lost,
          packetsLost: block.packets_lost,
          highestSequence: block.highest_sequence,
          jitter: block.jitter,
          lsr: block.last_sender_report,
          dlsr: block.delay_since_last_sender_report,
        }),
    );
    // A report holds 31 blocks at the most (five bits of count).
    for (let from = 0; from < reports.length; from += 31)
      this.#sendRtcp(new RtcpRrPacket({ ssrc: REPORTER_SSRC, reports: reports.slice(from, from + 31) }));
  }

  sendBandwidth(bits_per_second: number, ssrcs: number[]): void {
    const { RtcpPayloadSpecificFeedback, ReceiverEstimatedMaxBitrate } = this.#werift;
    let exponent = 0;
    while (bits_per_second >> exponent > 0x3ffff) exponent++;
    const feedback = new ReceiverEstimatedMaxBitrate({
      senderSsrc: REPORTER_SSRC,
      mediaSsrc: 0,
      ssrcNum: ssrcs.length,
      brExp: exponent,
      brMantissa: bits_per_second >> exponent,
      bitrate: BigInt(bits_per_second),
      ssrcFeedbacks: ssrcs,
    });
    this.#sendRtcp(new RtcpPayloadSpecificFeedback({ feedback }));
  }

  lastSeenAt(): number {
    return this.#last_seen_at;
  }

  async close(): Promise<void> {
    await this.#peer.close();
  }
}

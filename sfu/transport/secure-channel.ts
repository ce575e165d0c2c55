/** DTLS, the SRTP keys that it derives (RFC 5764), and SCTP over it (RFC 8261): the parts provided by werift. */
import type { RTCDtlsTransport, RTCIceTransport, RTCSctpTransport, RtcpPacket } from 'werift';
import type { DataChannel } from '../forwarding/rtp-engine.ts';
import { createRateGate, LIMITS, type RateGate } from '../limits.ts';
import type { Description } from '../sdp/sdp.ts';
import { createControlReader, type ControlCipher, type Werift } from './control.ts';
import { HandshakeError } from './handshake-check.ts';
import { findRefusal, guardHandshakes } from './handshake-guard.ts';
import { CONTENT, RECORD_HEADER_BYTES } from './handshake-records.ts';
import { ReplayWindow } from './replay-window.ts';
import { examineSctp, type SctpState } from './sctp-guard.ts';
import { createGcmTransform, createWeriftTransform, type SrtpTransform } from './srtp.ts';

/** What a channel sends, asks and reports. */
export type ChannelEvents = {
  /** A datagram for the peer. */
  send(data: Buffer): void;
  onConnected(transform: SrtpTransform): void;
  onFailed(): void;
  onData(label: string, data: Buffer): void;
  admitData(chunks: number, bytes: number): boolean;
  /** The participant's budget of received packets. */
  received: RateGate;
  onError(error: unknown): void;
};

/** AEAD_AES_128_GCM and AES_CM_128_HMAC_SHA1_80 (RFC 5764, 4.1.2; RFC 7714, 14.2), the cheaper first. */
const PROFILES: (7 | 1)[] = [7, 1];
const SCTP_PORT = 5_000;
const MESSAGE_BYTES = 65_536;
/** A packet with one chunk, as werift sends it. */
const CHUNK_BYTES = 1_200;

/** Members of werift's association that its types declare private. */
type Association = SctpState & { outboundQueue: unknown[]; handleData(data: Buffer): Promise<void> };
type Transport = {
  dataChannels: Record<string, unknown>;
  dataChannelQueue: unknown[];
  dataChannelFlush(): Promise<void>;
  sctp: { associationState: number };
  datachannelReceive(stream: number, protocol: number, data: Buffer): Promise<void>;
};
/** Association states (werift's numbers). */
const ESTABLISHED = 4;
/** Protocol id and first byte of a DATA_CHANNEL_OPEN message (RFC 8832, 5.1 and 8.1). */
const CONTROL_PROTOCOL = 50;
const CHANNEL_OPEN = 3;

/**
 * Serialises sending in werift. It would start a send loop for each message and acknowledgement, all of which wake with
 * every packet: a thousand pending ones would cost a million steps per packet.
 */
function sendInTurn(transport: Transport): void {
  const flush = transport.dataChannelFlush.bind(transport);
  let is_running = false;
  transport.dataChannelFlush = async () => {
    if (is_running) return;
    is_running = true;
    try {
      // What was queued while the last iteration ended is sent too.
      do await flush();
      while (transport.dataChannelQueue.length > 0 && transport.sctp.associationState === ESTABLISHED);
    } finally {
      is_running = false;
    }
  };
}

/** One DTLS association with everything above it. */
export class SecureChannel {
  readonly #werift: Werift;
  readonly #events: ChannelEvents;
  readonly #incoming: InstanceType<Werift['Event']>;
  readonly #dtls: RTCDtlsTransport;
  readonly #sctp: RTCSctpTransport;
  readonly #transport: Transport;
  readonly #association: Association;
  readonly #forgeries: RateGate;
  readonly #record_gate = createRateGate(LIMITS.dtls_records_per_second, LIMITS.dtls_records_burst);
  readonly #handshake_gate = createRateGate(
    LIMITS.dtls_handshake_records_per_second,
    LIMITS.dtls_handshake_records_burst,
  );
  /** Authentic records of data, and the sequence number of the newest one. */
  #records = 0;
  #newest_record = 0;
  readonly #replays = new ReplayWindow();
  readonly #readControl: (data: Buffer) => RtcpPacket[];
  #remote_sctp_port: number | undefined;
  #sctp_started = false;

  /** @param forgeries the budget of the connection for packets that are not authentic */
  constructor(werift: Werift, forgeries: RateGate, events: ChannelEvents) {
    guardHandshakes(werift);
    this.#werift = werift;
    this.#forgeries = forgeries;
    this.#events = events;
    this.#incoming = new werift.Event();
    // The ICE transport as werift's DTLS sees it: something that sends and receives, and a role.
    const connection = {
      onData: this.#incoming,
      send: (data: Buffer) => Promise.resolve(events.send(data)),
      close: () => Promise.resolve(),
    };
    const ice = { connection, role: 'controlled', stop: () => Promise.resolve() };
    this.#dtls = new werift.RTCDtlsTransport({}, ice as unknown as RTCIceTransport, undefined, PROFILES);
    // Its own handler would decrypt every packet a second time.
    this.#dtls.startSrtp = () => this.#dtls.updateSrtpSession();
    const cipher = (): ControlCipher => {
      const { srtcp } = this.#dtls;
      return { decrypt: (data) => srtcp.decrypt(data), is_gcm: srtcp.localContext.profile === PROFILES[0] };
    };
    this.#readControl = createControlReader(werift, cipher, forgeries, events.received);
    this.#sctp = new werift.RTCSctpTransport(SCTP_PORT, MESSAGE_BYTES);
    this.#transport = this.#sctp as unknown as Transport;
    this.#guardChannels(this.#transport);
    sendInTurn(this.#transport);
    this.#sctp.setDtlsTransport(this.#dtls);
    this.#association = this.#sctp.sctp as unknown as Association;
    this.#dtls.dataReceiver = (data) => this.#receiveSctp(data);
    this.#sctp.onDataChannel.subscribe((channel) => {
      channel.onMessage.subscribe((data) =>
        events.onData(channel.label, typeof data === 'string' ? Buffer.from(data) : data),
      );
    });
  }

  /** werift does not report errors of its parsers, and accepts any number of channels. */
  #guardChannels(transport: Transport): void {
    const receive = transport.datachannelReceive;
    transport.datachannelReceive = async (stream, protocol, data) => {
      const opens = protocol === CONTROL_PROTOCOL && data[0] === CHANNEL_OPEN;
      const is_known = transport.dataChannels[String(stream)] !== undefined;
      if (opens && !is_known && Object.keys(transport.dataChannels).length >= LIMITS.data_channels) return;
      await receive(stream, protocol, data).catch(this.#events.onError);
    };
  }

  #receiveSctp(data: Buffer): void {
    this.#records++;
    const { chunks, bytes } = examineSctp(data, this.#association);
    if (chunks > 0 && !this.#events.admitData(chunks, bytes)) return;
    this.#association.handleData(data).catch(this.#events.onError);
  }

  fingerprints(): { algorithm: string; value: string }[] {
    return this.#dtls.localParameters.fingerprints;
  }

  /** The DTLS role of this side, as in SDP. */
  role(): 'active' | 'passive' {
    return this.#dtls.role === 'client' ? 'active' : 'passive';
  }

  /**
   * Applies the peer's parameters and starts the handshake. Where the peer leaves the choice, this side is the server,
   * which chooses the cipher.
   */
  begin({ fingerprints, setup, sections }: Description): void {
    this.#remote_sctp_port = sections.find(({ kind }) => kind === 'application')?.sctp_port ?? this.#remote_sctp_port;
    this.#startSctp();
    if (this.#dtls.state !== 'new' || this.#dtls.role !== 'auto' || fingerprints.length === 0) return;
    const { RTCDtlsFingerprint, RTCDtlsParameters } = this.#werift;
    const parameters = fingerprints.map(({ algorithm, value }) => new RTCDtlsFingerprint(algorithm, value));
    this.#dtls.role = setup === 'passive' ? 'client' : 'server';
    this.#dtls.setRemoteParams(new RTCDtlsParameters(parameters, setup === 'passive' ? 'server' : 'client'));
    this.#dtls.start().then(
      () => this.#connected(),
      (error: unknown) => {
        if (error instanceof HandshakeError) this.#events.onError(error);
        this.#events.onFailed();
      },
    );
    this.#dtls.onStateChange.subscribe((state) => {
      if (state === 'failed' || state === 'closed') this.#events.onFailed();
    });
  }

  #connected(): void {
    const { srtp } = this.#dtls;
    const keysOf = ({ srtpSessionKey, srtpSessionSalt }: typeof srtp.localContext) => ({
      key: srtpSessionKey,
      salt: srtpSessionSalt.subarray(0, 12),
    });
    const { localContext, remoteContext } = srtp;
    const is_gcm = localContext.profile === PROFILES[0];
    this.#events.onConnected(
      is_gcm ? createGcmTransform(keysOf(localContext), keysOf(remoteContext)) : createWeriftTransform(srtp),
    );
    this.#startSctp();
  }

  #startSctp(): void {
    if (this.#sctp_started || this.#dtls.state !== 'connected' || this.#remote_sctp_port === undefined) return;
    this.#sctp_started = true;
    this.#sctp.setRemotePort(this.#remote_sctp_port);
    // If the association fails, the channels stay closed.
    this.#sctp.start(this.#remote_sctp_port).catch(() => undefined);
  }

  /** A datagram of DTLS records, of the peer or of somebody who has forged its address. */
  receive(data: Buffer): void {
    for (let at = 0; at + RECORD_HEADER_BYTES <= data.length;) {
      const end = at + RECORD_HEADER_BYTES + data.readUInt16BE(at + 11);
      // A datagram that is not authentic costs one attempt to decrypt it, however many records it has.
      if (end > data.length || !this.#receiveRecord(data.subarray(at, end))) return;
      at = end;
    }
  }

  /** @returns whether the next record of the datagram may be read */
  #receiveRecord(record: Buffer): boolean {
    const type = record[0];
    if (type === CONTENT.data) return this.#receiveData(record);
    // werift believes alerts that nobody has signed, and would close the connection.
    if (type !== CONTENT.handshake && type !== CONTENT.cipher_spec) return false;
    const is_clear = record.readUInt16BE(3) === 0;
    // What the peer may still repeat of the handshake is encrypted.
    if (this.#dtls.state === 'connected' && is_clear) return true;
    // What is in clear costs little, and has its own limits: a budget for all could be used up by forged packets alone.
    if (!is_clear && !this.#handshake_gate.take(performance.now())) return false;
    this.#incoming.execute(record);
    return true;
  }

  #receiveData(record: Buffer): boolean {
    const now_ms = performance.now();
    const sequence = record.readUIntBE(5, 6);
    if (!this.#replays.mayBeNew(sequence)) return false;
    const is_likely = Math.abs(sequence - this.#newest_record) <= LIMITS.dtls_records_window;
    if (!this.#record_gate.has(now_ms) || !this.#events.received.has(now_ms)) return false;
    if (!(is_likely || this.#forgeries.has(now_ms))) return false;
    const before = this.#records;
    // werift decrypts it and delivers what is authentic before it returns.
    this.#incoming.execute(record);
    const is_authentic = this.#records > before;
    (is_authentic ? this.#record_gate : this.#forgeries).take(now_ms);
    if (!is_authentic) return false;
    this.#events.received.take(now_ms);
    this.#replays.update(sequence);
    this.#newest_record = Math.max(this.#newest_record, sequence);
    return true;
  }

  openDataChannel(label: string, reliable: boolean, onOpen: () => void): DataChannel {
    const parameters = new this.#werift.RTCDataChannelParameters({
      label,
      ordered: reliable,
      protocol: '',
      negotiated: false,
      ...(!reliable && { maxRetransmits: 0 }),
    });
    const channel = new this.#werift.RTCDataChannel(this.#sctp, parameters);
    channel.stateChanged.subscribe((state) => {
      if (state === 'open') onOpen();
    });
    return {
      isOpen: () => channel.readyState === 'open',
      bufferedBytes: () => channel.bufferedAmount + this.#countWaiting() * CHUNK_BYTES,
      send: (data) => channel.send(data),
    };
  }

  #countWaiting(): number {
    const { outboundQueue, sentQueue } = this.#association;
    return this.#transport.dataChannelQueue.length + outboundQueue.length + sentQueue.length;
  }

  /** Decrypts and parses an RTCP datagram; empty for one that is invalid or above the limits. */
  readControl(data: Buffer): RtcpPacket[] {
    return this.#readControl(data);
  }

  sendControl(packet: RtcpPacket): void {
    if (this.#dtls.state === 'connected') this.#events.send(this.#dtls.srtcp.encrypt(packet.serialize()));
  }

  /** Why the peer was not believed, if a message of the handshake was not: the newest such message may be another's. */
  refusal(): Error | undefined {
    return findRefusal([this.#dtls]);
  }

  async close(): Promise<void> {
    const refusal = this.refusal();
    if (refusal && this.#dtls.state === 'connecting') this.#events.onError(refusal);
    await this.#sctp.stop();
    this.#dtls.dtls?.close();
    await this.#dtls.stop();
    this.#incoming.allUnsubscribe();
  }
}

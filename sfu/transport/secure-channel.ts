/** DTLS and the SRTP keys that it derives (RFC 5764): the parts provided by werift. */
import type { RTCDtlsTransport, RTCIceTransport, RtcpPacket } from 'werift';
import type { DataChannel } from '../forwarding/rtp-engine.ts';
import { createRateGate, LIMITS, type RateGate } from '../limits.ts';
import type { Description } from '../sdp/sdp.ts';
import { createControlReader, type ControlCipher, type Werift } from './control.ts';
import { DataChannels, type DataEvents } from './sctp/data-channels.ts';
import { HandshakeError } from './handshake-check.ts';
import { findRefusal, guardHandshakes } from './handshake-guard.ts';
import { CONTENT, RECORD_HEADER_BYTES } from './handshake-records.ts';
import { ReplayWindow } from './replay-window.ts';
import { createGcmTransform, createWeriftTransform, type SrtpTransform } from './srtp.ts';

/** What a channel sends, asks and reports. */
export type ChannelEvents = DataEvents & {
  /** A datagram for the peer. */
  send(data: Buffer): void;
  onConnected(transform: SrtpTransform): void;
  onFailed(): void;
  /** The participant's budget of received packets. */
  received: RateGate;
};

/** AEAD_AES_128_GCM and AES_CM_128_HMAC_SHA1_80 (RFC 5764, 4.1.2; RFC 7714, 14.2), the cheaper first. */
const PROFILES: (7 | 1)[] = [7, 1];

/** One DTLS association with everything above it. */
export class SecureChannel {
  readonly #werift: Werift;
  readonly #events: ChannelEvents;
  readonly #incoming: InstanceType<Werift['Event']>;
  readonly #dtls: RTCDtlsTransport;
  readonly #data: DataChannels;
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
    this.#data = new DataChannels(werift, this.#dtls, events);
    this.#dtls.dataReceiver = (data) => {
      this.#records++;
      this.#data.receive(data);
    };
  }

  /** The fingerprints of this side's certificate, as in SDP (RFC 8122). */
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
    this.#data.setRemotePort(sections.find(({ kind }) => kind === 'application')?.sctp_port);
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
    this.#data.start();
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
    return this.#data.open(label, reliable, onOpen);
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
    await this.#data.close();
    this.#dtls.dtls?.close();
    await this.#dtls.stop();
    this.#incoming.allUnsubscribe();
  }
}

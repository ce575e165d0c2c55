/** Data channels: SCTP over DTLS (RFC 8261, RFC 8831), the parts provided by werift. */
import type { RTCDtlsTransport, RTCSctpTransport } from 'werift';
import type { DataChannel } from '../../forwarding/rtp-engine.ts';
import { LIMITS } from '../../limits.ts';
import type { Werift } from '../control.ts';
import { examineSctp, type SctpState } from './sctp-guard.ts';

/** What data channels ask and report. */
export type DataEvents = {
  onData(label: string, data: Buffer): void;
  /** Whether a packet is accepted: takes its chunks of data and their bytes from the budgets. */
  admitData(chunks: number, bytes: number): boolean;
  onError(error: unknown): void;
};

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

/** Bounds the channels that a peer opens, and reports errors of werift's parsers, which werift itself does not do. */
function guardChannels(transport: Transport, onError: (error: unknown) => void): void {
  const receive = transport.datachannelReceive;
  transport.datachannelReceive = async (stream, protocol, data) => {
    const opens = protocol === CONTROL_PROTOCOL && data[0] === CHANNEL_OPEN;
    const is_known = transport.dataChannels[String(stream)] !== undefined;
    if (opens && !is_known && Object.keys(transport.dataChannels).length >= LIMITS.data_channels) return;
    await receive(stream, protocol, data).catch(onError);
  };
}

/** The data channels of one connection: one SCTP association, which starts once DTLS is connected. */
export class DataChannels {
  readonly #werift: Werift;
  readonly #dtls: RTCDtlsTransport;
  readonly #events: DataEvents;
  readonly #sctp: RTCSctpTransport;
  readonly #transport: Transport;
  readonly #association: Association;
  #remote_port: number | undefined;
  #is_started = false;

  constructor(werift: Werift, dtls: RTCDtlsTransport, events: DataEvents) {
    this.#werift = werift;
    this.#dtls = dtls;
    this.#events = events;
    this.#sctp = new werift.RTCSctpTransport(SCTP_PORT, MESSAGE_BYTES);
    this.#transport = this.#sctp as unknown as Transport;
    guardChannels(this.#transport, events.onError);
    sendInTurn(this.#transport);
    this.#sctp.setDtlsTransport(dtls);
    this.#association = this.#sctp.sctp as unknown as Association;
    this.#sctp.onDataChannel.subscribe((channel) => {
      channel.onMessage.subscribe((data) =>
        events.onData(channel.label, typeof data === 'string' ? Buffer.from(data) : data),
      );
    });
  }

  /** Sets the peer's port, as its description names it (RFC 8841); undefined keeps an earlier one. */
  setRemotePort(port: number | undefined): void {
    this.#remote_port = port ?? this.#remote_port;
    this.start();
  }

  /** Starts the association if DTLS is connected and the peer's port is known. */
  start(): void {
    if (this.#is_started || this.#dtls.state !== 'connected' || this.#remote_port === undefined) return;
    this.#is_started = true;
    this.#sctp.setRemotePort(this.#remote_port);
    // If the association fails, the channels stay closed.
    this.#sctp.start(this.#remote_port).catch(() => undefined);
  }

  /** A decrypted SCTP packet. */
  receive(data: Buffer): void {
    const { chunks, bytes } = examineSctp(data, this.#association);
    if (chunks > 0 && !this.#events.admitData(chunks, bytes)) return;
    this.#association.handleData(data).catch(this.#events.onError);
  }

  /** Opens a channel towards the peer. @param reliable ordered and retransmitted; otherwise neither */
  open(label: string, reliable: boolean, onOpen: () => void): DataChannel {
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

  close(): Promise<void> {
    return this.#sctp.stop();
  }
}

/**
 * The handshake messages of a DTLS peer, on their way to werift, which trusts them: a gate for each role decides which
 * ones reach it, and whether the handshake as a whole was the peer's.
 */
import type { RTCDtlsTransport } from 'werift';
import { HandshakeError } from './handshake-check.ts';

/** werift's socket of a transport. */
export type DtlsSocket = NonNullable<RTCDtlsTransport['dtls']>;
/** Handshake messages as werift receives them. */
export type WeriftMessages = Parameters<DtlsSocket['onHandleHandshakes']>[0];

/** What the gates of both roles have in common. */
export abstract class HandshakeGate {
  protected readonly socket: DtlsSocket;
  readonly #process: DtlsSocket['onHandleHandshakes'];
  #admits_data = false;
  /** Why the handshake was refused, or the last message that only somebody else could have sent was dropped. */
  refusal: Error | undefined;

  constructor(socket: DtlsSocket) {
    this.socket = socket;
    this.#process = socket.onHandleHandshakes;
    socket.onHandleHandshakes = (messages) => this.receive(messages);
    const deliver = socket.onData.execute;
    socket.onData.execute = (data) => {
      if (this.#admits_data) deliver(data);
    };
  }

  /** Handles the messages that werift would process. */
  protected abstract receive(messages: WeriftMessages): Promise<void>;

  /** Whether Finished has proved that all messages were the peer's. */
  protected abstract isVerified(): boolean;

  /** Lets werift process messages. */
  protected pass(messages: WeriftMessages): Promise<void> {
    return this.#process.call(this.socket, messages);
  }

  protected noteRefusal(error: unknown): Error {
    this.refusal = error instanceof Error ? error : new Error(String(error));
    return this.refusal;
  }

  /** @throws HandshakeError unless the handshake was verified */
  requireVerified(): void {
    if (!this.isVerified()) throw new HandshakeError('it was not verified');
  }

  /** To be called once the certificate is known to be the expected one. */
  admitData(): void {
    this.#admits_data = true;
  }
}

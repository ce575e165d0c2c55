import { checkHandshake, HANDSHAKE, requireSameFacts, type HandshakeMessage } from './handshake-check.ts';
import { HandshakeGate, type WeriftMessages } from './handshake-gate.ts';

/** Which message of a server may follow which; 0 is the beginning (RFC 6347, 4.2.4). */
const FOLLOWING: Record<number, number[]> = { 0: [3, 2], 3: [2], 2: [11], 11: [12], 12: [13, 14], 13: [14], 14: [20] };
/** A number after werift's last flight. */
const NO_FLIGHT = 7;

/** The gate of a server: its messages are processed in their order, each once, and Finished proves them. */
export class ServerGate extends HandshakeGate {
  #state: 'open' | 'verified' | 'refused' = 'open';
  #last_type = 0;
  #next_seq = 0;

  protected isVerified(): boolean {
    return this.#state === 'verified';
  }

  protected async receive(messages: WeriftMessages): Promise<void> {
    const sorted = messages.toSorted((a, b) => a.message_seq - b.message_seq);
    // One at a time, since the check of Finished needs what werift made of the others.
    await Promise.all(sorted.map((message) => (this.#accepts(message) ? this.pass([message]) : undefined)));
  }

  /**
   * Whether werift may process a message. It processes repeated ones again, which would replace the certificate or the
   * keys after they were signed.
   */
  #accepts(message: HandshakeMessage): boolean {
    if (this.#state !== 'open') return false;
    if (!FOLLOWING[this.#last_type]?.includes(message.msg_type) || message.message_seq !== this.#next_seq) return false;
    this.#last_type = message.msg_type;
    this.#next_seq++;
    return message.msg_type !== HANDSHAKE.finished || this.#verify(message);
  }

  #verify({ fragment }: HandshakeMessage): boolean {
    try {
      const { cipher, dtls } = this.socket;
      requireSameFacts(cipher, checkHandshake('server', dtls.sortedHandshakeCache, fragment, cipher.masterSecret), [
        cipher.localRandom,
        cipher.remoteRandom,
      ]);
    } catch (error) {
      this.#refuse(this.noteRefusal(error));
      return false;
    }
    this.#state = 'verified';
    return true;
  }

  #refuse(error: Error): void {
    this.#state = 'refused';
    // Ends retransmissions to the peer.
    this.socket.dtls.flight = NO_FLIGHT;
    this.socket.onError.execute(error);
    this.socket.close();
  }
}

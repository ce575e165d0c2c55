/**
 * The handshake messages of a DTLS client, on their way to werift. Until Finished nothing protects them, and anybody can send
 * some in the name of the client, so that none has an effect before it has proved to be the client's; what is not, is
 * dropped as if it had not been sent (RFC 6347, 4.1.2.7).
 */
import { createRateGate, LIMITS } from '../limits.ts';
import {
  checkCertificateVerify,
  checkHandshake,
  HANDSHAKE,
  HandshakeError,
  readCertificate,
  requireSameFacts,
  serialize,
  type HandshakeMessage,
} from './handshake-check.ts';
import { HandshakeGate, type DtlsSocket, type WeriftMessages } from './handshake-gate.ts';
import { CONTENT, forEachRecord, readFragments, Reassembly, type Fragment } from './handshake-records.ts';
import { HelloCookie } from './hello-cookie.ts';

/** werift's numbers of the flights that answer a ClientHello without and with a cookie. */
const COOKIE_FLIGHT = 2;
const SERVER_FLIGHT = 4;

/** A message as werift keeps it. */
const createMessage = (message: HandshakeMessage) => ({
  ...message,
  fragment_offset: 0,
  fragment_length: message.length,
  serialize: () => serialize(message),
});

/** The gate of a client: its messages count once CertificateVerify or Finished proves them. */
export class ClientGate extends HandshakeGate {
  readonly #isExpected: (certificate: Buffer) => boolean;
  readonly #cookie = new HelloCookie();
  readonly #fragments = new Reassembly();
  readonly #checks = createRateGate(LIMITS.handshake_checks_per_second, LIMITS.handshake_checks_burst);
  #state: 'new' | 'answered' | 'proved' | 'verified' = 'new';
  #hello: HandshakeMessage | undefined;
  #certificate: HandshakeMessage | undefined;
  /** The newest messages that may be the client's ClientKeyExchange, until CertificateVerify says which one it is. */
  #exchanges: HandshakeMessage[] = [];
  #finished: Buffer | undefined;

  /** @param isExpected whether a certificate is one that the peer's description announces */
  constructor(socket: DtlsSocket, isExpected: (certificate: Buffer) => boolean) {
    super(socket);
    this.#isExpected = isExpected;
    socket.dtls.cookie = this.#cookie.value;
    const decrypt = socket.transport.socket.onData;
    socket.transport.socket.onData = (data, address) =>
      forEachRecord(data, (type, epoch, record) =>
        this.#receiveRecord(type, epoch, record, () => decrypt(record, address)),
      );
  }

  protected isVerified(): boolean {
    return this.#state === 'verified';
  }

  #receiveRecord(type: number, epoch: number, record: Buffer, decrypt: () => void): void {
    if (type !== CONTENT.handshake && type !== CONTENT.data) return;
    if (epoch > 0) {
      // There are keys from the client's flight on.
      if (this.#state === 'proved' || this.#state === 'verified') decrypt();
    } else if (type === CONTENT.handshake) for (const part of readFragments(record)) this.#receiveFragment(part);
  }

  #receiveFragment(part: Fragment): void {
    if (!this.#expects(part)) return;
    const message = this.#fragments.add(part);
    if (message) this.#receiveMessage(message);
  }

  /** Whether a message of a type and number may come now; the client's flight is Certificate, ClientKeyExchange, CertificateVerify. */
  #expects({ msg_type, message_seq }: Fragment): boolean {
    if (msg_type === HANDSHAKE.client_hello) return this.#state === 'new' || this.#state === 'answered';
    if (this.#state !== 'answered' || !this.#hello) return false;
    const place = message_seq - this.#hello.message_seq;
    if (msg_type === HANDSHAKE.certificate) return place === 1 && !this.#certificate;
    if (msg_type === HANDSHAKE.client_key_exchange) return place === 2 && this.#certificate !== undefined;
    return msg_type === HANDSHAKE.certificate_verify && place === 3 && this.#exchanges.length > 0;
  }

  #receiveMessage(message: HandshakeMessage): void {
    switch (message.msg_type) {
      case HANDSHAKE.client_hello:
        return this.#receiveHello(message);
      case HANDSHAKE.certificate:
        return this.#receiveCertificate(message);
      case HANDSHAKE.client_key_exchange:
        this.#exchanges.push(message);
        if (this.#exchanges.length > LIMITS.handshake_candidates) this.#exchanges.shift();
        return undefined;
      default:
        return this.#prove(message);
    }
  }

  #receiveHello(message: HandshakeMessage): void {
    if (this.#hello) {
      // A client that repeats it has not received the answer, which werift sends again.
      if (this.#hello.fragment.equals(message.fragment)) this.#passMessage(message);
      return;
    }
    const bare = this.#cookie.strip(message.fragment);
    if (bare) return this.#answer(message, bare);
    const request = this.#cookie.ask();
    if (request) void this.socket.transport.send(request);
  }

  /** werift reads a ClientHello while it answers one without a cookie. That answer has been given. */
  #answer(message: HandshakeMessage, bare: Buffer): void {
    const { dtls, transport } = this.socket;
    const { socket } = transport;
    const { send } = socket;
    socket.send = () => Promise.resolve();
    try {
      this.#passMessage({ ...message, length: bare.length, fragment: bare });
    } finally {
      socket.send = send;
    }
    if (dtls.flight !== COOKIE_FLIGHT) return;
    dtls.recordSequenceNumber = this.#cookie.sent;
    this.#passMessage(message);
    if ((dtls.flight as number) !== SERVER_FLIGHT) return;
    this.#state = 'answered';
    this.#hello = message;
    this.#fragments.clear();
  }

  #receiveCertificate(message: HandshakeMessage): void {
    try {
      if (!this.#isExpected(readCertificate(message)))
        throw new HandshakeError('the certificate is not the announced one');
      this.#certificate = message;
    } catch (error) {
      this.noteRefusal(error);
    }
  }

  /** CertificateVerify signs all messages before it, and so tells which of them are the client's. */
  #prove(message: HandshakeMessage): void {
    const before = this.socket.dtls.sortedHandshakeCache;
    const certificate = this.#certificate as HandshakeMessage;
    for (const exchange of this.#exchanges.toReversed()) {
      if (!this.#checks.take(performance.now())) return;
      try {
        checkCertificateVerify([...before, certificate, exchange], certificate, message);
      } catch (error) {
        this.noteRefusal(error);
        continue;
      }
      this.#state = 'proved';
      this.#fragments.clear();
      for (const proved of [certificate, exchange, message]) this.#passMessage(proved);
      return;
    }
  }

  /** werift decrypts the client's last flight; of its messages only Finished is used. */
  protected async receive(messages: WeriftMessages): Promise<void> {
    for (const message of messages) if (message.msg_type === HANDSHAKE.finished) this.#receiveFinished(message);
  }

  #receiveFinished(message: HandshakeMessage): void {
    // A repeated one asks for the server's, which was lost (RFC 6347, 4.2.4).
    const is_verified =
      this.#state === 'verified' ? this.#finished?.equals(message.fragment) === true : this.#verify(message);
    if (is_verified) this.#passMessage(message);
  }

  #verify({ fragment }: HandshakeMessage): boolean {
    try {
      const { cipher, dtls } = this.socket;
      const facts = checkHandshake('client', dtls.sortedHandshakeCache, fragment, cipher.masterSecret);
      requireSameFacts(cipher, facts, [cipher.remoteRandom, cipher.localRandom]);
    } catch (error) {
      this.noteRefusal(error);
      return false;
    }
    this.#finished = fragment;
    this.#state = 'verified';
    return true;
  }

  /** Errors are those of the client itself, or of werift. */
  #passMessage(message: HandshakeMessage): void {
    this.pass([createMessage(message)] as unknown as WeriftMessages).catch((error: Error) =>
      this.socket.onError.execute(error),
    );
  }
}

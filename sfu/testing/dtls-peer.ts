/** A DTLS peer of a secure channel in memory, which may be hostile, for tests of what a handshake must prove. */
import * as werift from 'werift';
import { createRateGate, LIMITS } from '../limits.ts';
import type { Description } from '../sdp/sdp.ts';
import { SecureChannel } from '../transport/secure-channel.ts';

type Socket = NonNullable<werift.RTCDtlsTransport['dtls']>;

/** One handshake between a channel and a peer of a test. */
export type Handshake = {
  /** Of the channel under test. */
  role: 'server' | 'client';
  certificate: werift.RTCCertificate;
  /** The certificate that the description announces; by default that of the peer. */
  announced?: werift.RTCCertificate;
  /** Changes the peer's side before its first message. */
  prepare?(socket: Socket): void;
  /** Sees each datagram of the peer; what it returns arrives in its place. */
  tamper?(data: Buffer): Buffer[];
};

const { ecdsa_3, rsa_1 } = werift.SignatureAlgorithm;
const { sha256_4: hash } = werift.HashAlgorithm;

/** Creates a certificate with its key. */
export async function makeCertificate(kind: 'ecdsa' | 'rsa' = 'ecdsa'): Promise<werift.RTCCertificate> {
  const signature = kind === 'rsa' ? rsa_1 : ecdsa_3;
  const { keyPem, certPem, signatureHash } = await werift.createSelfSignedCertificate(
    { signature, hash },
    werift.NamedCurveAlgorithm.secp256r1_23,
  );
  return new werift.RTCCertificate(keyPem, certPem, signatureHash);
}

/** The certificate of a victim, which anybody on the path has seen, with a key of the attacker. */
export const stealCertificate = (victim: werift.RTCCertificate, attacker: werift.RTCCertificate) =>
  new werift.RTCCertificate(attacker.privateKey, victim.certPem, victim.signatureHash);

/** Connects a peer and a channel; to be closed by the caller. */
export async function openHandshake({ role, certificate, announced = certificate, prepare, tamper }: Handshake) {
  await werift.RTCDtlsTransport.SetupCertificate();
  const events: string[] = [];
  const received: Buffer[] = [];
  const incoming = new werift.Event<[Buffer]>();
  const toChannel = (data: Buffer) => setImmediate(() => channel.receive(data));
  const channel = new SecureChannel(werift, createRateGate(LIMITS.forged_per_second, LIMITS.forged_burst), {
    send: (data) => void setImmediate(() => incoming.execute(Buffer.from(data))),
    onConnected: () => events.push('connected'),
    onFailed: () => events.push('failed'),
    onData: () => undefined,
    received: createRateGate(10_000, 10_000),
    admitData: (_, bytes) => (received.push(Buffer.alloc(bytes)), true),
    onError: (error) => events.push(String(error)),
  });
  const connection = {
    onData: incoming,
    send: async (data: Buffer) => (tamper?.(Buffer.from(data)) ?? [Buffer.from(data)]).forEach(toChannel),
    close: () => Promise.resolve(),
  };
  const ice = { connection, role: 'controlling', stop: () => Promise.resolve() };
  const peer = new werift.RTCDtlsTransport({}, ice as unknown as werift.RTCIceTransport, certificate, [7, 1]);
  peer.role = role === 'server' ? 'client' : 'server';
  const fingerprints = channel
    .fingerprints()
    .map(({ algorithm, value }) => new werift.RTCDtlsFingerprint(algorithm, value));
  peer.setRemoteParams(new werift.RTCDtlsParameters(fingerprints, role));
  const setup = role === 'server' ? 'active' : 'passive';
  const description: Partial<Description> = { sections: [], fingerprints: announced.getFingerprints(), setup };
  peer.start().catch(() => undefined);
  if (!peer.dtls) throw new Error('the peer has no socket');
  prepare?.(peer.dtls);
  channel.begin(description as Description);
  return {
    events,
    received,
    peer,
    socket: peer.dtls,
    refusal: () => channel.refusal()?.message,
    /** Delivers a datagram that the peer did not send. */
    inject: (data: Buffer) => channel.receive(data),
    async close() {
      // Ends retransmissions.
      if (peer.dtls) peer.dtls.dtls.flight = 7;
      await Promise.all([channel.close(), peer.stop()]);
    },
  };
}

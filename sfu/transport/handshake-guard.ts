/**
 * Makes werift's DTLS refuse peers that do not prove their certificate, which it does not check itself (0.25: it only logs
 * CertificateVerify and Finished, and does not verify ServerKeyExchange). Handshake messages pass a gate before werift
 * processes them, and neither SRTP keys nor data are delivered before the gate has verified the handshake.
 */
import type { RTCDtlsTransport, RTCIceTransport } from 'werift';
import type { Werift } from './control.ts';
import { LIMITS } from '../limits.ts';
import { ClientGate } from './client-gate.ts';
import { HandshakeError } from './handshake-check.ts';
import type { DtlsSocket, HandshakeGate, WeriftMessages } from './handshake-gate.ts';
import { ServerGate } from './server-gate.ts';

/** The inner member of werift's socket in which fragments wait for the rest of their message. */
type Reassembly = { bufferFragmentedHandshakes: WeriftMessages };
/** Methods of werift's transport that are replaced. */
type TransportPrototype = { start(): Promise<void>; verifyRemoteCertificateFingerprint(): void };

const gates = new WeakMap<RTCDtlsTransport, HandshakeGate>();
const guarded = new WeakSet<object>();
/** werift's comparison of a certificate with the announced fingerprints, which throws where none is the same. */
let findFingerprint: ((this: unknown) => void) | undefined;

/** Fails where a version of werift has other inner members than those used here. @throws Error with their names */
function requireMembers(socket: DtlsSocket): void {
  const { onHandleHandshakes, handleFragmentHandshake, onData, onError, close, dtls, cipher, transport } = socket;
  const { bufferFragmentedHandshakes } = socket as unknown as Reassembly;
  const checks: Record<string, boolean> = {
    onHandleHandshakes: typeof onHandleHandshakes === 'function',
    handleFragmentHandshake: typeof handleFragmentHandshake === 'function',
    bufferFragmentedHandshakes: Array.isArray(bufferFragmentedHandshakes),
    onData: typeof onData?.execute === 'function',
    onError: typeof onError?.execute === 'function',
    close: typeof close === 'function',
    'dtls.flight': typeof dtls?.flight === 'number',
    'dtls.recordSequenceNumber': typeof dtls?.recordSequenceNumber === 'number',
    'transport.send': typeof transport?.send === 'function',
    'transport.socket.send': typeof transport?.socket?.send === 'function',
    'transport.socket.onData': typeof transport?.socket?.onData === 'function',
    'dtls.sortedHandshakeCache': Array.isArray(dtls?.sortedHandshakeCache),
  };
  for (const name of ['masterSecret', 'remoteCertificate', 'remoteKeyPair', 'localRandom', 'remoteRandom'])
    checks[`cipher.${name}`] = name in (cipher ?? {});
  const missing = Object.keys(checks).filter((name) => !checks[name]);
  if (missing.length > 0)
    throw new Error(`werift has changed, and its DTLS handshakes cannot be verified: ${missing.join(', ')}`);
}

/**
 * Bounds what werift reassembles from fragments (RFC 6347, 4.2.3). It allocates the length that a fragment declares, up to
 * 16 MB for two short packets, and keeps fragments until a last one comes. A peer whose fragments are dropped repeats its
 * flight.
 */
function boundReassembly(socket: DtlsSocket): void {
  const reassemble = socket.handleFragmentHandshake;
  const waiting = socket as unknown as Reassembly;
  socket.handleFragmentHandshake = (fragments) => {
    const fitting = fragments.filter(({ length }) => length <= LIMITS.handshake_message_bytes);
    if (waiting.bufferFragmentedHandshakes.length >= LIMITS.handshake_fragments)
      waiting.bufferFragmentedHandshakes = [];
    return reassemble.call(socket, fitting);
  };
}

/** Why the handshake of one of these transports was refused, if it was. */
export const findRefusal = (transports: RTCDtlsTransport[]): Error | undefined =>
  transports.map((transport) => gates.get(transport)?.refusal).find((refusal) => refusal !== undefined);

/** Whether a certificate has a fingerprint that the peer's description announces, as werift compares them at the end. */
function isAnnounced(transport: RTCDtlsTransport, remoteCertificate: Buffer): boolean {
  const { remoteParameters } = transport as unknown as { remoteParameters: unknown };
  try {
    findFingerprint?.call({ remoteParameters, dtls: { remoteCertificate } });
    return findFingerprint !== undefined;
  } catch {
    return false;
  }
}

/** Creates the gate of a transport that has just been started, and so has its socket but has received nothing. */
function guardTransport(transport: RTCDtlsTransport): void {
  if (!transport.dtls || gates.has(transport)) return;
  requireMembers(transport.dtls);
  boundReassembly(transport.dtls);
  const gate =
    transport.role === 'server'
      ? new ClientGate(transport.dtls, (certificate) => isAnnounced(transport, certificate))
      : new ServerGate(transport.dtls);
  gates.set(transport, gate);
}

/** Makes every DTLS transport of werift check its peer. Has no effect after the first time. @throws Error where it cannot */
export function guardHandshakes({ RTCDtlsTransport }: Werift): void {
  const prototype = RTCDtlsTransport.prototype as unknown as TransportPrototype;
  if (guarded.has(prototype)) return;
  const { start, verifyRemoteCertificateFingerprint } = prototype;
  if (typeof start !== 'function' || typeof verifyRemoteCertificateFingerprint !== 'function')
    throw new Error('werift has changed, and its DTLS handshakes cannot be verified: RTCDtlsTransport');
  findFingerprint = verifyRemoteCertificateFingerprint;
  prototype.start = function (this: RTCDtlsTransport) {
    const started = start.call(this);
    try {
      guardTransport(this);
    } catch (error) {
      started.catch(() => undefined);
      this.dataReceiver = () => undefined;
      return Promise.reject(error);
    }
    return started;
  };
  // werift calls this last before it derives SRTP keys, so that a transport without a gate never has any.
  prototype.verifyRemoteCertificateFingerprint = function (this: RTCDtlsTransport) {
    const gate = gates.get(this);
    if (!gate) throw new HandshakeError('it was not verified');
    gate.requireVerified();
    verifyRemoteCertificateFingerprint.call(this);
    gate.admitData();
  };
  guarded.add(prototype);
}

/** Starts a transport without a peer, to see that the guard takes effect. @throws Error where it does not */
function requireGuard(werift: Werift): void {
  const { Event, RTCDtlsFingerprint, RTCDtlsParameters, RTCDtlsTransport } = werift;
  const done = () => Promise.resolve();
  const ice = { connection: { onData: new Event(), send: done, close: done }, role: 'controlled', stop: done };
  const transport = new RTCDtlsTransport({}, ice as unknown as RTCIceTransport);
  transport.role = 'server';
  transport.setRemoteParams(new RTCDtlsParameters([new RTCDtlsFingerprint('sha-256', '00')], 'client'));
  transport.start().catch(() => undefined);
  if (transport.dtls) requireMembers(transport.dtls);
  if (!gates.has(transport))
    throw new Error('werift has changed, and its DTLS handshakes cannot be verified: RTCDtlsTransport.start');
}

/** Loads werift, with DTLS that verifies its peers. @throws Error with a version whose handshakes cannot be verified */
export async function loadWerift(): Promise<Werift> {
  const werift = await import('werift');
  guardHandshakes(werift);
  await werift.RTCDtlsTransport.SetupCertificate();
  requireGuard(werift);
  return werift;
}

import { setTimeout as wait } from 'node:timers/promises';
import * as werift from 'werift';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeCertificate, openHandshake, stealCertificate, type Handshake } from '../testing/dtls-peer.ts';
import { checkHandshake, HANDSHAKE, type HandshakeMessage } from './handshake-check.ts';
import { guardHandshakes, loadWerift } from './handshake-guard.ts';
import { slow } from '../../testing/slow-tests.ts';

type Certificate = werift.RTCCertificate;
let victim: Certificate;
let attacker: Certificate;
let rsa: Certificate;

beforeAll(async () => {
  [victim, attacker, rsa] = await Promise.all([makeCertificate(), makeCertificate(), makeCertificate('rsa')]);
});

async function open(handshake: Handshake) {
  const opened = await openHandshake(handshake);
  onTestFinished(() => opened.close());
  return opened;
}

async function expectConnected(handshake: Handshake) {
  const opened = await open(handshake);
  await vi.waitFor(() => expect(opened.events).not.toEqual([]), 5_000);
  expect(opened.events).toEqual(['connected']);
  return opened;
}

/** The messages of a client may be another's, and are dropped; a server ends the handshake. */
async function expectRefused(handshake: Handshake, reason: string) {
  const opened = await open(handshake);
  if (handshake.role === 'server') {
    await vi.waitFor(() => expect(opened.refusal()).toContain(reason), 5_000);
    await wait(20);
    expect(opened.events).toEqual([]);
    await opened.close();
    expect(opened.events.join()).toContain(reason);
    return;
  }
  await vi.waitFor(() => expect(opened.events).not.toEqual([]), 5_000);
  // What the peer would send next is not accepted either.
  await wait(20);
  expect(opened.events).not.toContain('connected');
  expect(opened.events).toContain('failed');
  expect(opened.events.join()).toContain(reason);
}

/** A record with one handshake message, in clear (RFC 6347, 4.1 and 4.2.2). */
function makeRecord(type: number, seq: number, body: Buffer): Buffer {
  const head = Buffer.from([22, 254, 253, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, type, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(12 + body.length, 11);
  head.writeUIntBE(body.length, 14, 3);
  head.writeUInt16BE(seq, 17);
  head.writeUIntBE(body.length, 22, 3);
  return Buffer.concat([head, body]);
}

/** A record with a part of a handshake message that declares another length. */
function makeFragment(length: number, offset: number, body: Buffer): Buffer {
  const record = makeRecord(HANDSHAKE.certificate, 1, body);
  record.writeUIntBE(length, 14, 3);
  record.writeUIntBE(offset, 19, 3);
  return record;
}

/** An encrypted handshake record: in the first handshake that is Finished. */
const is_finished = (data: Buffer) => data[0] === 22 && data.readUInt16BE(3) === 1;

describe.each(['server', 'client'] as const)('as %s', (role) => {
  test('accepts peers that hold their keys, ECDSA and RSA', slow, async () => {
    await expectConnected({ role, certificate: victim });
    // As client, this side has an ECDSA certificate, and the peer an RSA one.
    await expectConnected({ role, certificate: rsa });
  });

  test('refuses a certificate with a key of another, ECDSA and RSA', slow, async () => {
    const reason = role === 'server' ? 'CertificateVerify is not signed' : 'ServerKeyExchange is not signed';
    await expectRefused({ role, certificate: stealCertificate(victim, attacker) }, reason);
    await expectRefused({ role, certificate: stealCertificate(rsa, await makeCertificate('rsa')) }, reason);
  });

  test('refuses a certificate other than the announced one', slow, async () => {
    const reason = role === 'server' ? 'not the announced one' : 'failed';
    await expectRefused({ role, certificate: attacker, announced: victim }, reason);
  });

  test('refuses a wrong Finished', slow, async () => {
    const prepare: Handshake['prepare'] = ({ cipher }) => (cipher.verifyData = () => Buffer.alloc(12, 7));
    await expectRefused({ role, certificate: victim, prepare }, 'Finished is wrong');
  });

  test('neither allocates what a fragment declares, nor keeps fragments without end', slow, async () => {
    const sent = { prepared: false };
    const tamper = (data: Buffer): Buffer[] => {
      if (sent.prepared) return [data];
      sent.prepared = true;
      const halves = [0, 16_777_205].map((offset) => makeFragment(16_777_215, offset, Buffer.alloc(10)));
      const parts = Array.from({ length: 1_000 }, () => makeFragment(16_000, 0, Buffer.alloc(1_000)));
      return [...halves, ...parts, data];
    };
    const allocate = vi.spyOn(Buffer, 'alloc');
    const reassemble = vi.spyOn(werift.DtlsSocket.prototype, 'handleFragmentHandshake');
    onTestFinished(() => [allocate, reassemble].forEach((spy) => spy.mockRestore()));
    await expectConnected({ role, certificate: victim, tamper });
    expect(allocate.mock.calls.filter(([bytes]) => bytes > 65_536)).toEqual([]);
    const sockets = reassemble.mock.contexts as unknown as { bufferFragmentedHandshakes: unknown[] }[];
    expect(Math.max(...sockets.map((socket) => socket.bufferFragmentedHandshakes.length))).toBeLessThanOrEqual(64);
  });

  test('ignores handshake messages of others, which would replace keys and certificate', async () => {
    let injected = 0;
    const public_key = Buffer.concat([Buffer.from([32]), Buffer.alloc(32, 9)]);
    const tamper = (data: Buffer): Buffer[] => {
      if (!is_finished(data)) return [data];
      injected++;
      const forged = [2, 3, 4, 5, 6].flatMap((seq) => [
        makeRecord(HANDSHAKE.client_key_exchange, seq, public_key),
        makeRecord(HANDSHAKE.server_key_exchange, seq, Buffer.concat([Buffer.from([3, 0, 29]), public_key])),
        makeRecord(HANDSHAKE.certificate, seq, Buffer.from([0, 0, 4, 0, 0, 1, 9])),
        makeRecord(HANDSHAKE.hello_verify_request, 0, Buffer.from([254, 253, 1, 1])),
      ]);
      return [...forged, data];
    };
    await expectConnected({ role, certificate: victim, tamper });
    expect(injected).toBeGreaterThan(0);
  });

  test('does not deliver data before the peer is verified', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    // Data that arrive before Finished, from a peer that has the keys of the attacked handshake.
    const tamper = (data: Buffer): Buffer[] => (is_finished(data) ? (resolve(), []) : [data]);
    const { socket, received, events } = await open({ role, certificate: attacker, announced: victim, tamper });
    await promise;
    await socket.send(Buffer.concat([Buffer.alloc(12), Buffer.from([0, 3, 0, 20]), Buffer.alloc(16)]));
    await wait(50);
    expect(received).toEqual([]);
    expect(events).not.toContain('connected');
  });
});

describe('as server', () => {
  const role = 'server';

  test('refuses junk in CertificateVerify', async () => {
    const junk: Handshake['prepare'] = ({ cipher }) => (cipher.signatureData = () => Buffer.alloc(70, 5));
    await expectRefused({ role, certificate: victim, prepare: junk }, 'CertificateVerify is not signed');
  });

  test('does not accept a peer without a certificate', slow, async () => {
    const prepare: Handshake['prepare'] = ({ dtls }) =>
      void Object.defineProperty(dtls, 'requestedCertificateTypes', { value: [], writable: false });
    const { events } = await open({ role, certificate: victim, prepare });
    await wait(400);
    expect(events).not.toContain('connected');
    const empty: Handshake['prepare'] = ({ cipher }) => (cipher.localCert = Buffer.of());
    await expectRefused({ role, certificate: victim, prepare: empty }, 'not the announced one');
  });

  test('does not begin again after the handshake', slow, async () => {
    const hellos: Buffer[] = [];
    const tamper = (data: Buffer): Buffer[] => {
      if (data[0] === 22 && data[13] === HANDSHAKE.client_hello) hellos.push(data);
      return [data];
    };
    const { inject, socket, received } = await expectConnected({ role, certificate: victim, tamper });
    for (const hello of hellos) inject(Buffer.from(hello));
    await vi.waitFor(() => expect(socket.connected).toBe(true), 5_000);
    await socket.send(Buffer.concat([Buffer.alloc(12), Buffer.from([0, 3, 0, 20]), Buffer.alloc(16)]));
    await vi.waitFor(() => expect(received).toHaveLength(1));
  });
});

describe('the transcript of a client', () => {
  /** A handshake of an honest client, with what its server would check. */
  async function record() {
    const { peer, socket } = await expectConnected({ role: 'server', certificate: victim });
    await vi.waitFor(() => expect(peer.state).toBe('connected'), 5_000);
    const messages: HandshakeMessage[] = socket.dtls.sortedHandshakeCache.map(
      ({ msg_type, message_seq, length, fragment }) => ({
        msg_type,
        message_seq,
        length,
        fragment: Buffer.from(fragment),
      }),
    );
    const finished = messages.pop()?.fragment ?? Buffer.of();
    const check = () => checkHandshake('client', messages, finished, socket.cipher.masterSecret);
    const bodyOf = (type: number) => messages.findLast(({ msg_type }) => msg_type === type)?.fragment ?? Buffer.of();
    return { messages, check, bodyOf };
  }

  test('is verified in less than 20 ms', async () => {
    const { check } = await record();
    check();
    const began_at_ms = performance.now();
    for (let run = 0; run < 20; run++) check();
    expect((performance.now() - began_at_ms) / 20).toBeLessThan(20);
  });

  test('must have a known signature scheme, of the type of the key', async () => {
    const { check, bodyOf } = await record();
    const verify = bodyOf(HANDSHAKE.certificate_verify);
    verify.writeUInt16BE(0x0203, 0);
    expect(check).toThrow('unknown signature scheme');
    verify.writeUInt16BE(0x0401, 0);
    expect(check).toThrow('not signed');
    verify.writeUInt16BE(0x0403, 0);
    expect(check).not.toThrow();
    verify.writeUInt16BE(verify.readUInt16BE(2) - 1, 2);
    expect(check).toThrow('wrong length');
  });

  test.each([
    ['a changed key', (body: Buffer) => body.writeUInt8(body.readUInt8(5) ^ 1, 5), HANDSHAKE.client_key_exchange],
    ['a changed hello', (body: Buffer) => body.writeUInt8(body.readUInt8(20) ^ 1, 20), HANDSHAKE.client_hello],
    ['a certificate list without an end', (body: Buffer) => body.writeUInt8(255, 0), HANDSHAKE.certificate],
  ])('must not have %s', async (_, change, type) => {
    const { check, bodyOf } = await record();
    change(bodyOf(type));
    expect(check).toThrow('DTLS handshake refused');
  });

  test('must have all messages, once, and whole', async () => {
    const { messages, check } = await record();
    const [verify] = messages.splice(-1);
    expect(check).toThrow('missing');
    if (verify) messages.push(verify, verify);
    expect(check).toThrow('unexpected');
    messages.pop();
    expect(check).not.toThrow();
    if (verify) verify.length++;
    expect(check).toThrow('incomplete');
  });
});

test('refuses a version of werift with other inner members', async () => {
  expect(() => guardHandshakes({ RTCDtlsTransport: { prototype: {} } } as unknown as typeof werift)).toThrow(
    'werift has changed',
  );
  const { prototype } = werift.RTCDtlsTransport;
  await loadWerift();
  const { start } = prototype;
  onTestFinished(() => void (prototype.start = start));
  // As if the socket had been renamed, or a field of it.
  prototype.start = () => new Promise(() => undefined);
  await expect(loadWerift()).rejects.toThrow('RTCDtlsTransport.start');
  prototype.start = function (this: werift.RTCDtlsTransport) {
    this.dtls = { dtls: { flight: 0 } } as unknown as NonNullable<typeof this.dtls>;
    return new Promise(() => undefined);
  };
  await expect(loadWerift()).rejects.toThrow(
    'onHandleHandshakes, handleFragmentHandshake, bufferFragmentedHandshakes, onData, onError, close, dtls.recordSequenceNumber, ' +
      'transport.send, transport.socket.send, transport.socket.onData, dtls.sortedHandshakeCache',
  );
});

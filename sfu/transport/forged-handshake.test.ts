/** Records that claim the address of a DTLS client during its handshake, from somebody who does not receive what it receives. */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type * as werift from 'werift';
import { makeCertificate, openHandshake, type Handshake } from '../testing/dtls-peer.ts';
import { LIMITS } from '../limits.ts';
import { slow } from '../../testing/slow-tests.ts';
import { HANDSHAKE } from './handshake-check.ts';

let victim: werift.RTCCertificate;
let attacker: werift.RTCCertificate;

beforeAll(async () => {
  [victim, attacker] = await Promise.all([makeCertificate(), makeCertificate()]);
});

const number = (value: number, bytes: number) => {
  const data = Buffer.alloc(bytes);
  data.writeUIntBE(value, 0, bytes);
  return data;
};
const vector = (data: Buffer, length_bytes: number) => Buffer.concat([number(data.length, length_bytes), data]);

/** A record in clear (RFC 6347, 4.1). */
const forgeRecord = (type: number, body: Buffer, sequence = 0, epoch = 0) =>
  Buffer.concat([Buffer.from([type, 254, 253]), number(epoch, 2), number(sequence, 6), vector(body, 2)]);

/** A record with a message, or with a part of it. */
function forge(type: number, message_seq: number, body: Buffer, part?: { length: number; at: number }): Buffer {
  const { length, at } = part ?? { length: body.length, at: 0 };
  const head = Buffer.concat([number(type, 1), number(length, 3), number(message_seq, 2), number(at, 3)]);
  return forgeRecord(22, Buffer.concat([head, vector(body, 3)]));
}

/** A ClientHello with some cipher suite and extensions (RFC 5246, 7.4.1.2; RFC 6347, 4.2.1). */
function forgeHello(suite: number, cookie: Buffer = Buffer.of(), extensions: Buffer = Buffer.of()): Buffer {
  const head = Buffer.concat([Buffer.from([254, 253]), randomBytes(32), vector(Buffer.of(), 1), vector(cookie, 1)]);
  return Buffer.concat([head, vector(number(suite, 2), 2), Buffer.from([1, 0]), vector(extensions, 2)]);
}

/** The suite that a server with an ECDSA certificate takes, and one that it does not know. */
const [SUITE, UNKNOWN_SUITE] = [0xc02b, 0x1301];
const point = () => Buffer.concat([Buffer.from([4]), randomBytes(64)]);
const forgeCertificate = (message_seq: number, { certPem }: werift.RTCCertificate) => {
  const der = Buffer.from(certPem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  return forge(HANDSHAKE.certificate, message_seq, vector(vector(der, 3), 3));
};

/** The type of the first message of a datagram; undefined for what is encrypted. */
const typeOf = (data: Buffer) => (data[0] === 22 && data.readUInt16BE(3) === 0 ? data[13] : undefined);

async function expectConnected(handshake: Pick<Handshake, 'tamper' | 'prepare'>) {
  const opened = await openHandshake({ role: 'server', certificate: victim, ...handshake });
  onTestFinished(() => opened.close());
  await vi.waitFor(() => expect(opened.events).not.toEqual([]), 10_000);
  expect(opened.events).toEqual(['connected']);
  // Both sides have the same keys.
  const message = Buffer.concat([Buffer.alloc(12), Buffer.from([0, 3, 0, 20]), Buffer.alloc(16)]);
  await vi.waitFor(() => expect(opened.socket.connected).toBe(true), 10_000);
  await opened.socket.send(message);
  await vi.waitFor(() => expect(opened.received).toHaveLength(1), 5_000);
  return opened;
}

/** What somebody could send at any moment who knows how a handshake proceeds, but not what is in this one. */
const FORGED: Record<string, () => Buffer[]> = {
  'a ClientHello with another random': () => [forge(1, 0, forgeHello(SUITE)), forge(1, 1, forgeHello(SUITE))],
  'a ClientHello without a usable suite': () => [forge(1, 0, forgeHello(UNKNOWN_SUITE))],
  'a ClientHello with a guessed cookie': () => [0, 1].map((seq) => forge(1, seq, forgeHello(SUITE, randomBytes(20)))),
  'a ClientHello with broken extensions': () => [
    forge(1, 0, forgeHello(SUITE, Buffer.of(), Buffer.from([0, 10, 0, 2, 255, 255, 0, 14, 0, 9, 0]))),
  ],
  'certificates of others': () => [1, 2, 3].map((seq) => forgeCertificate(seq, attacker)),
  'other keys': () => [2, 3, 4].map((seq) => forge(HANDSHAKE.client_key_exchange, seq, vector(point(), 1))),
  'other signatures': () =>
    [3, 4].map((seq) =>
      forge(HANDSHAKE.certificate_verify, seq, Buffer.concat([Buffer.from([4, 3]), vector(randomBytes(70), 2)])),
    ),
  'a Finished in clear': () => [4, 5, 6].map((seq) => forge(HANDSHAKE.finished, seq, randomBytes(12))),
  'messages of a server': () => [
    forge(HANDSHAKE.hello_verify_request, 0, Buffer.from([254, 253, 1, 1])),
    forge(HANDSHAKE.server_hello, 1, Buffer.concat([Buffer.from([254, 253]), randomBytes(32), Buffer.alloc(4)])),
    forge(HANDSHAKE.server_hello_done, 1, Buffer.of()),
    forge(HANDSHAKE.server_key_exchange, 3, Buffer.concat([Buffer.from([3, 0, 23]), vector(point(), 1)])),
  ],
  'fragments of messages': () =>
    [1, 11, 15, 16].flatMap((type) =>
      [0, 1, 2, 3, 4].flatMap((seq) => [
        forge(type, seq, randomBytes(40), { length: 80, at: 0 }),
        forge(type, seq, randomBytes(40), { length: 80, at: 40 }),
        forge(type, seq, randomBytes(30), { length: 16_777_215, at: 100 }),
      ]),
    ),
  'alerts, fatal and of closing': () =>
    [
      [2, 40],
      [2, 20],
      [1, 0],
    ].flatMap((alert) => [0, 1].map((epoch) => forgeRecord(21, Buffer.from(alert), 5, epoch))),
  'records that do not end, and of unknown types and epochs': () => [
    Buffer.from([22, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 1]),
    forgeRecord(22, Buffer.from([1, 0, 0, 255])),
    ...[1, 2, 65_535].flatMap((epoch) => [20, 22, 23].map((type) => forgeRecord(type, randomBytes(60), 1, epoch))),
    ...[24, 63].map((type) => forgeRecord(type, randomBytes(20))),
  ],
};

test.each(Object.keys(FORGED))('%s before every message of a client change nothing', slow, async (name) => {
  const forgeAll = FORGED[name] as () => Buffer[];
  await expectConnected({ tamper: (data) => [...forgeAll(), data, ...forgeAll()] });
});

/** Sends the messages of the client's flight in one datagram, as browsers do, with something before each datagram. */
function pack(before: () => Buffer[]): (data: Buffer) => Buffer[] {
  let flight: Buffer[] = [];
  return (data) => {
    const type = typeOf(data);
    if (type === HANDSHAKE.certificate) flight = [];
    if (type !== HANDSHAKE.client_hello && type !== undefined) flight.push(data);
    if (type === HANDSHAKE.client_hello) return [...before(), data];
    return type === HANDSHAKE.certificate_verify
      ? [...before(), Buffer.concat(flight)]
      : type === undefined
        ? [data]
        : [];
  };
}
const forgeAll = () => Object.values(FORGED).flatMap((forgeOne) => forgeOne());

test('everything at once changes nothing', slow, async () => {
  await expectConnected({ tamper: pack(forgeAll) });
});

test('a flood of each kind does not hold up a handshake', slow, async () => {
  const flood = forgeAll();
  const many = Array.from({ length: (2 * LIMITS.dtls_handshake_records_burst) / flood.length }, () => flood).flat();
  const began_at_ms = performance.now();
  await expectConnected({ tamper: pack(() => many) });
  // A client repeats what is lost after a second.
  expect(performance.now() - began_at_ms).toBeLessThan(5_000);
});

test('records that are replayed, at once and later, change nothing', slow, async () => {
  const sent: Buffer[] = [];
  const { inject, socket, received } = await expectConnected({
    tamper: (data) => {
      sent.push(data);
      return [data, ...sent.map((earlier) => Buffer.from(earlier))];
    },
  });
  for (const data of [...sent, ...sent.toReversed()]) inject(Buffer.from(data));
  await socket.send(Buffer.concat([Buffer.alloc(12), Buffer.from([0, 3, 0, 20]), Buffer.alloc(16)]));
  // Data arrive once.
  await vi.waitFor(() => expect(received).toHaveLength(2), 5_000);
});

test('few requests for the cookie are sent, with numbers of their own', async () => {
  const opened = await openHandshake({ role: 'server', certificate: victim, tamper: () => [] });
  onTestFinished(() => opened.close());
  const numbers: number[] = [];
  const { onData } = opened.socket.transport.socket;
  opened.socket.transport.socket.onData = (data, address) => {
    if (typeOf(data) === HANDSHAKE.hello_verify_request) numbers.push(data.readUIntBE(5, 6));
    onData(data, address);
  };
  const far = forge(1, 0, forgeHello(SUITE));
  far.writeUIntBE(2 ** 47, 5, 6);
  for (let count = 0; count < 1_000; count++) opened.inject(far);
  await wait(20);
  expect(numbers).toEqual(Array.from({ length: LIMITS.hello_answers_burst }, (_, index) => index));
});

test('a client whose messages are cut into fragments connects, also when others send parts before', slow, async () => {
  const split = (data: Buffer): Buffer[] => {
    const type = typeOf(data);
    if (type === undefined || type === HANDSHAKE.finished) return [data];
    const body = data.subarray(25);
    const seq = data.readUInt16BE(17);
    const cuts = [0, Math.floor(body.length / 3), Math.floor(body.length / 2), body.length];
    const parts = cuts.slice(1).map((end, index) => {
      const at = cuts[index] as number;
      return forge(type, seq, body.subarray(at, end), { length: body.length, at });
    });
    const forged = parts.map((part) => Buffer.concat([part.subarray(0, 25), randomBytes(part.length - 25)]));
    return [...forged, ...parts];
  };
  await expectConnected({ tamper: split });
});

import { SrtpSession } from 'werift';
import { expect, test } from 'vitest';
import { randomFrom, seedOf, usual_seed } from '../../testing/seed.ts';
import { AesGcm, TAG_BYTES } from './aes-gcm.ts';
import { createGcmTransform, createWeriftTransform, RolloverCounter, type SrtpKeys } from './srtp.ts';

const random = randomFrom(seedOf(usual_seed).seed);
const randomBytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));

const packet = (sequence: number, payload = Buffer.from('sound')) => ({
  codec: 'opus' as const,
  sequence,
  timestamp: 960 * sequence,
  marker: sequence % 2 === 0,
  payload,
});

function createPair() {
  const keys = () => ({ key: randomBytes(16), salt: randomBytes(12) });
  const [a, b] = [keys(), keys()];
  return [createGcmTransform(a, b), createGcmTransform(b, a)] as const;
}

test('counts each rollover of the sequence numbers once', () => {
  const counter = new RolloverCounter();
  expect([65_533, 65_534, 65_535, 0, 1].map((sequence) => counter.at(sequence))).toEqual([0, 0, 0, 1, 1]);
  for (let sequence = 2; sequence <= 65_535; sequence++) counter.at(sequence);
  expect([counter.at(65_535), counter.at(0)]).toEqual([1, 2]);
});

test('assigns a retransmitted packet its original rollover count', () => {
  const counter = new RolloverCounter();
  for (const sequence of [65_400, 65_535, 99]) counter.at(sequence);
  // Retransmissions from before the rollover do not change the count of later packets.
  expect([65_440, 100, 65_500, 101, 0, 102].map((sequence) => counter.at(sequence))).toEqual([0, 1, 0, 1, 1, 1]);
});

test('starts at any number, and does not count reordered packets as a rollover', () => {
  const counter = new RolloverCounter();
  expect([3, 2, 65_535, 4].map((sequence) => counter.at(sequence))).toEqual([0, 0, 0, 0]);
});

test('decrypts packets of the other side, over the wrap of the sequence numbers and in any order', () => {
  const [local_side, remote_side] = createPair();
  const rollovers = new RolloverCounter();
  const sealed = [65_534, 65_535, 0, 1].map((sequence) =>
    local_side.seal(111, 7, packet(sequence), rollovers.at(sequence)),
  );
  const opened = [0, 2, 1, 3].map((index) => remote_side.open(sealed[index] as Buffer));
  expect(opened.map((item) => item?.sequence)).toEqual([65_534, 0, 65_535, 1]);
  expect(opened[0]).toMatchObject({ payload_type: 111, ssrc: 7, marker: true, payload: Buffer.from('sound') });
});

test('parses header extensions, and rejects truncated, forged and reflected packets', () => {
  const [local_side, remote_side] = createPair();
  const timed = local_side.seal(96, 9, packet(4), 0, { id: 3, value: 0x123456 });
  expect(remote_side.open(timed)?.extensions).toEqual([{ id: 3, value: Buffer.from([0x12, 0x34, 0x56]) }]);
  for (let length = 0; length < timed.length; length++)
    expect(remote_side.open(timed.subarray(0, length))).toBeUndefined();
  expect(remote_side.open(Buffer.alloc(40))).toBeUndefined();
  expect(local_side.open(timed)).toBeUndefined();
});

test('decrypts packets of a sender that restarts its numbers, whether it counts a rollover or not', () => {
  for (const [sequence, rollovers] of [
    [100, 0],
    [100, 1],
    [60_000, 0],
  ] as const) {
    const [local_side, remote_side] = createPair();
    for (let index = 0; index < 10; index++) remote_side.open(local_side.seal(111, 7, packet(30_000 + index), 0));
    const again = [0, 1, 2].map((index) =>
      remote_side.open(local_side.seal(111, 7, packet(sequence + index), rollovers)),
    );
    expect(again.map((item) => item?.sequence)).toEqual([sequence, sequence + 1, sequence + 2]);
  }
});

test('rejects replayed packets of any age', () => {
  const [local_side, remote_side] = createPair();
  const sealed: Buffer[] = [];
  const counter = new RolloverCounter();
  for (let index = 0; index < 70_000; index += 7) {
    const sequence = (60_000 + index) & 0xffff;
    sealed.push(local_side.seal(111, 7, packet(sequence), counter.at(sequence)));
  }
  expect(sealed.filter((item) => remote_side.open(item))).toHaveLength(sealed.length);
  expect(sealed.filter((item) => remote_side.open(item))).toHaveLength(0);
});

test('does not throw for any authenticated header', () => {
  const [local, remote] = [0, 1].map(() => ({ key: randomBytes(16), salt: randomBytes(12) }));
  const remote_side = createGcmTransform(remote as SrtpKeys, local as SrtpKeys);
  const gcm = new AesGcm((local as SrtpKeys).key);
  let opened = 0;
  for (let round = 0; round < 3_000; round++) {
    const message = randomBytes(40 + (round % 60));
    message[0] = 0x80 | (round % 64);
    // Mostly extensions of valid length, of both forms.
    const text_at = 12 + ((message[0] ?? 0) & 15) * 4 + (message[0] & 0x10 ? 4 + (round % 5) * 4 : 0);
    if (text_at + TAG_BYTES > message.length) continue;
    if (message[0] & 0x10) {
      const extension_at = text_at - 4 - (round % 5) * 4;
      message.writeUInt16BE(round % 3 ? 0xbede : 0x1000, extension_at);
      message.writeUInt16BE(round % 5, extension_at + 2);
    }
    message.writeUInt16BE(round, 2);
    message.writeUInt32BE(7, 8);
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(7, 2);
    nonce.writeUInt16BE(round, 10);
    nonce.forEach((byte, at) => (nonce[at] = byte ^ ((local as SrtpKeys).salt[at] ?? 0)));
    gcm.seal(message, text_at, nonce);
    if (remote_side.open(message)) opened++;
  }
  expect(opened).toBeGreaterThan(500);
});

test('encrypts and decrypts with the other SRTP profile', () => {
  const [a, b, salt] = [randomBytes(16), randomBytes(16), randomBytes(14)];
  const session = (local: Buffer, remote: Buffer) =>
    new SrtpSession({
      profile: 1,
      keys: { localMasterKey: local, localMasterSalt: salt, remoteMasterKey: remote, remoteMasterSalt: salt },
    });
  const [local_side, remote_side] = [createWeriftTransform(session(a, b)), createWeriftTransform(session(b, a))];
  const sealed = local_side.seal(96, 9, packet(4), 0, { id: 3, value: 1 });
  expect(remote_side.open(sealed)).toMatchObject({ sequence: 4, payload: Buffer.from('sound') });
  sealed[20] = (sealed[20] ?? 0) ^ 1;
  expect(remote_side.open(sealed)).toBeUndefined();
});

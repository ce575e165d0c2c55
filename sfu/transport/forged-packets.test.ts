/** Packets of somebody who does not have the keys of a connected peer, from its address or from another one. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { AddTrackRequest, TrackInfo } from '@livekit/protocol';
import { onTestFinished, expect, test, vi } from 'vitest';
import { createSendingPeer, type SendingPeer } from '../clients/phone/sending-peer.ts';
import { Publisher } from '../forwarding/publisher.ts';
import { SenderBudget } from '../forwarding/receive-budget.ts';
import type { MediaConnection, RtpIn } from '../forwarding/rtp-engine.ts';
import { LIMITS } from '../limits.ts';
import { mediaSectionsOf, readDescription } from '../sdp/sdp.ts';
import { createBindingRequest } from '../testing/binding-request.ts';
import { loadEngine } from './connection.ts';
import { IceLiteAgent } from './ice-lite.ts';
import { MediaPort } from './media-port.ts';
import { isStun, readBindingRequest } from './stun.ts';
import type { TransportOwner, TransportTuple } from './transport-tuple.ts';
import { slow } from '../../testing/slow-tests.ts';

const flood_test = { ...slow, timeout: 30_000 };

/** A peer with a microphone and a data channel, connected to this side of the transport. */
type Connected = {
  peer: SendingPeer;
  owner: TransportOwner;
  publisher: Publisher;
  packets: RtpIn[];
  messages: string[];
  states: string[];
  sdp: string;
  /** Sends the next packet of the voice. */
  speak(): void;
  /** Delivers a datagram as if it came from the address of the peer. */
  forge(data: Buffer): void;
  port: MediaPort;
  /** What the peer has sent, where its packets pass a relay. */
  sent: Buffer[];
  /** The relay's socket towards the media port: its address is that of the peer. */
  upstream: Socket;
};

async function openSocket(): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  onTestFinished(() => void socket.close());
  await once(socket, 'listening');
  return socket;
}

const udpPortOf = (port: MediaPort): number => port.candidates().find(({ protocol }) => protocol === 'udp')?.port ?? 0;

/** Passes datagrams between a peer and a media port, and records those of the peer. */
async function startRelay(port: MediaPort) {
  const [front, upstream] = [await openSocket(), await openSocket()];
  const sent: Buffer[] = [];
  let client = 0;
  front.on('message', (data, from) => {
    client = from.port;
    sent.push(data);
    upstream.send(data, udpPortOf(port), '127.0.0.1');
  });
  upstream.on('message', (data) => {
    if (client !== 0) front.send(data, client, '127.0.0.1');
  });
  const redirect = (sdp: string) => sdp.replaceAll(` ${udpPortOf(port)} typ host`, ` ${front.address().port} typ host`);
  return { sent, upstream, redirect };
}

async function connect(): Promise<Connected> {
  const port = await MediaPort.open({ node_ips: ['127.0.0.1'], udp_port: 0, tcp_port: undefined });
  onTestFinished(() => port.close());
  const owners: TransportOwner[] = [];
  const register = port.register.bind(port);
  port.register = (ufrag, owner) => {
    owners.push(owner);
    register(ufrag, owner);
  };
  const [packets, messages, states]: [RtpIn[], string[], string[]] = [[], [], []];
  const received = new SenderBudget();
  const connection: MediaConnection = (await loadEngine(port)).createConnection({
    onState: (state) => void states.push(state),
    mayAdmitRtp: (ssrc, bytes) => publisher.mayAdmitRtp(ssrc, bytes),
    admitRtp: (ssrc, bytes) => publisher.admitRtp(ssrc, bytes),
    onRtp: (packet) => {
      packets.push(packet);
      publisher.receiveRtp(packet);
    },
    onFeedback: () => undefined,
    onData: (_label, data) => void messages.push(data.toString()),
    admitData: () => true,
    received,
    onError: (error) => void states.push(String(error)),
  });
  const publisher: Publisher = new Publisher(connection, () => true, undefined, received);
  const peer = await createSendingPeer('127.0.0.1', () => void states.push('the peer failed'));
  onTestFinished(() => peer.close());
  onTestFinished(() => connection.close());
  const offer = readDescription(await peer.createOffer());
  publisher.addTrack(new AddTrackRequest({ cid: peer.cid }), new TrackInfo({ sid: 'TR_1' }), 'audio');
  publisher.bindSections(mediaSectionsOf(offer));
  const sdp = connection.acceptOffer(offer, () => ({ dtx: true, stereo: false, red: false }));
  const { redirect, sent, upstream } = await startRelay(port);
  await peer.acceptAnswer(redirect(sdp));
  await vi.waitFor(() => expect(states).toEqual(['connected']), 10_000);
  const owner = owners[0] as TransportOwner;
  let sequence = 0;
  const speak = () =>
    peer.send({
      sequence: ++sequence,
      timestamp: sequence * 960,
      marker: false,
      level_db: 9,
      payload: Buffer.alloc(40),
    });
  await vi.waitFor(() => (speak(), expect(packets).not.toHaveLength(0)), { timeout: 10_000, interval: 20 });
  peer.sendData(Buffer.from('before'));
  await vi.waitFor(() => expect(messages).toEqual(['before']), 10_000);
  const tuple: TransportTuple = { address: '127.0.0.1', port: 9, send: () => undefined };
  const forge = (data: Buffer) => owner.receive(data, tuple);
  return { peer, owner, publisher, packets, messages, states, sdp, speak, forge, port, sent, upstream };
}

/** An RTP packet of a stream (RFC 3550, 5.1), not encrypted with the key of the connection. */
function forgeRtp(ssrc: number, sequence: number): Buffer {
  const packet = Buffer.alloc(100, 7);
  packet.set([0x80, 111]);
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE(ssrc, 8);
  return packet;
}

/** A DTLS record (RFC 6347, 4.1). */
function forgeRecord(type: number, epoch: number, sequence: number, body: Buffer): Buffer {
  const head = Buffer.from([type, 254, 253, 0, epoch, 0, 0, 0, 0, 0, 0, 0, body.length]);
  head.writeUIntBE(sequence, 5, 6);
  return Buffer.concat([head, body]);
}

test('a flood from the address of a peer takes nothing of its budgets', flood_test, async () => {
  const { peer, owner, publisher, packets, messages, states, sdp, speak, forge } = await connect();
  const [{ ssrc } = { ssrc: 0 }] = packets;
  const floods: [number, (index: number) => Buffer][] = [
    [3 * LIMITS.rtp_packets_per_second, (index) => forgeRtp(ssrc, index)],
    [3 * LIMITS.rtp_packets_per_second, (index) => forgeRtp(1_000_000 + index, index)],
    [2 * LIMITS.dtls_records_burst, (index) => forgeRecord(23, 1, index, Buffer.alloc(60, index))],
    [2 * LIMITS.dtls_handshake_records_burst, (index) => forgeRecord(22, 0, index, Buffer.alloc(60, 1))],
  ];
  for (const [count, forgeOne] of floods) for (let index = 0; index < count; index++) forge(forgeOne(index));
  expect(publisher.traffic.refused_in).toBe(0);
  // The flood continues, so that no budget refills while the peer goes on.
  let is_flooding = true;
  let forged = 0;
  const flood = () => {
    for (const [, forgeOne] of floods) for (let count = 0; count < 50; count++) forge(forgeOne(++forged));
    if (is_flooding) setImmediate(flood);
  };
  flood();
  onTestFinished(() => void (is_flooding = false));
  for (let round = 1; round <= 20; round++) {
    const before = packets.length;
    speak();
    peer.sendData(Buffer.from(String(round)));
    await vi.waitFor(() => expect([packets.length, messages.at(-1)]).toEqual([before + 1, String(round)]), 5_000);
  }
  is_flooding = false;
  const find = (pattern: RegExp) => pattern.exec(sdp)?.[1] ?? '';
  const request = readBindingRequest(createBindingRequest(find(/a=ice-ufrag:(\S+)/), find(/a=ice-pwd:(\S+)/)));
  const answers: Buffer[] = [];
  const tuple = { address: '192.0.2.1', port: 9, send: (data: Buffer) => void answers.push(data) };
  expect([request && owner.check(request, tuple), answers.length]).toEqual([true, 1]);
  expect(states).toEqual(['connected']);
});

test('unsigned alerts and records of unknown types close nothing', flood_test, async () => {
  const { peer, messages, states, forge } = await connect();
  // close_notify, in clear and as if it were encrypted (RFC 5246, 7.2.1).
  for (const epoch of [0, 1]) forge(forgeRecord(21, epoch, 5, Buffer.from([1, 0])));
  for (const type of [24, 30, 63]) forge(forgeRecord(type, 0, 5, Buffer.from([1, 0])));
  peer.sendData(Buffer.from('after'));
  await vi.waitFor(() => expect(messages).toEqual(['before', 'after']), 5_000);
  expect(states).toEqual(['connected']);
});

/** Sends datagrams to a media port from a socket, and waits until it has read them. */
async function sendFrom(socket: Socket, port: MediaPort, datagrams: Buffer[]): Promise<void> {
  for (const data of datagrams) socket.send(data, udpPortOf(port), '127.0.0.1');
  const agent = new IceLiteAgent(port, { onPath: () => undefined, onData: () => undefined, onError: () => undefined });
  const [fence, answer] = [await openSocket(), Promise.withResolvers<void>()];
  fence.once('message', () => answer.resolve());
  fence.send(createBindingRequest(agent.credentials.ufrag, agent.credentials.password), udpPortOf(port), '127.0.0.1');
  await answer.promise;
  agent.close();
}

/** The packet with one bit of its last byte changed, which is in its tag. */
const withWrongTag = (data: Buffer): Buffer =>
  Buffer.concat([data.subarray(0, -1), Buffer.from([~(data.at(-1) ?? 0)])]);

test('what a peer has sent has no effect when it is repeated from another port', flood_test, async () => {
  const { peer, packets, messages, states, speak, port, sent, sdp } = await connect();
  for (let count = 0; count < 5; count++) speak();
  await vi.waitFor(() => expect(packets.length).toBeGreaterThan(5));
  const before = packets.length;
  const stranger = await openSocket();
  const received: Buffer[] = [];
  stranger.on('message', (data) => received.push(data));
  const ufrag = /a=ice-ufrag:(\S+)/.exec(sdp)?.[1] ?? '';
  const guesses = [
    createBindingRequest(ufrag, 'guessed', true),
    createBindingRequest(ufrag.slice(1), 'guessed'),
    createBindingRequest('', ''),
  ];
  await sendFrom(stranger, port, [...sent, ...guesses, ...sent]);
  expect(sent.filter(isStun)).not.toHaveLength(0);
  expect([received, packets.length, messages, states]).toEqual([[], before, ['before'], ['connected']]);
  speak();
  peer.sendData(Buffer.from('after'));
  await vi.waitFor(() => expect([packets.length, messages]).toEqual([before + 1, ['before', 'after']]), 5_000);
  expect(received).toEqual([]);
});

test('what a peer has sent has no effect when it is repeated or changed at its own address', flood_test, async () => {
  const { peer, packets, messages, states, speak, port, sent, upstream } = await connect();
  const before = packets.length;
  const others = sent.filter((data) => !isStun(data));
  const [{ ssrc } = { ssrc: 0 }] = packets;
  const reports = [200, 201, 203, 205, 206].flatMap((type) =>
    [ssrc, ssrc + 1, 0].map((claimed) => {
      const report = Buffer.alloc(64);
      report.set([0x81, type, 0, 15]);
      report.writeUInt32BE(claimed >>> 0, 4);
      return report;
    }),
  );
  await sendFrom(upstream, port, [
    ...others,
    ...others.map(withWrongTag),
    ...reports,
    forgeRtp(ssrc, 9),
    forgeRtp(1, 9),
  ]);
  expect([packets.length, messages, states]).toEqual([before, ['before'], ['connected']]);
  speak();
  peer.sendData(Buffer.from('after'));
  await vi.waitFor(() => expect([packets.length, messages]).toEqual([before + 1, ['before', 'after']]), 5_000);
});

test('another participant who forges the address of a peer does not take its packets', flood_test, async () => {
  const { packets, speak, port, upstream } = await connect();
  const taken: Buffer[] = [];
  const other = new IceLiteAgent(port, {
    onPath: () => undefined,
    onData: (data) => void taken.push(data),
    onError: () => undefined,
  });
  const { ufrag, password } = other.credentials;
  await sendFrom(upstream, port, [createBindingRequest(ufrag, password, true), createBindingRequest(ufrag, password)]);
  const before = packets.length;
  speak();
  await vi.waitFor(() => expect([packets.length, taken]).toEqual([before + 1, []]), 2_000);
});

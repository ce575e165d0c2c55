import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IceLiteAgent } from './ice-lite.ts';
import { findAddresses, MediaPort } from './media-port.ts';
import { createBindingRequest } from '../testing/binding-request.ts';
import { readBindingRequest } from './stun.ts';
import { itUnlessMissing } from '../../testing/skip.ts';
import { randomFrom, seedOf, usual_seed } from '../../testing/seed.ts';

const DTLS = Buffer.from([22, 254, 253, 1, 2, 3]);
let port: MediaPort;
let agent: IceLiteAgent;
let received: string[];
const sockets: Socket[] = [];
beforeEach(async () => {
  port = await MediaPort.open({ node_ips: ['127.0.0.1'], udp_port: 0, tcp_port: 0 });
  received = [];
  agent = new IceLiteAgent(port, {
    onPath: () => received.push('path'),
    onData: (data) => received.push(data.toString('hex')),
    onError: (error) => received.push(String(error)),
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await port.close();
});

async function openUdp() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'listening');
  const { port: to } = port.candidates().find(({ protocol }) => protocol === 'udp') ?? { port: 0 };
  return {
    socket,
    send: (data: Buffer) => socket.send(data, to, '127.0.0.1'),
    receive: async () => ((await once(socket, 'message')) as [Buffer])[0],
  };
}

test('parses the sample request of RFC 5769, and verifies its password', () => {
  const sample = Buffer.from(
    '000100582112a442b7e7a701bc34d686fa87dfae802200105354554e207465737420636c69656e74002400046e0001ff80290008932ff9b151263b36' +
      '00060009' +
      '6576746a3a68367659202020' +
      '000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a280280004e57a3bcf',
    'hex',
  );
  const request = readBindingRequest(sample);
  expect(request?.local_ufrag).toBe('evtj');
  expect(request?.isSignedWith('VOkJxbRl1RmTxUk/WvJxBt')).toBe(true);
  expect(request?.isSignedWith('VOkJxbRl1RmTxUk/WvJxBu')).toBe(false);
  for (let length = 0; length < sample.length; length++)
    expect(readBindingRequest(sample.subarray(0, length))).toBeUndefined();
});

test('accepts data only from addresses with a valid connectivity check', async () => {
  const [peer, stranger] = [await openUdp(), await openUdp()];
  const { ufrag, password } = agent.credentials;
  stranger.send(DTLS);
  stranger.send(createBindingRequest(ufrag, 'not the password'));
  stranger.send(createBindingRequest('nobody', password));
  stranger.send(DTLS);
  peer.send(createBindingRequest(ufrag, password));
  const response = await peer.receive();
  expect(response.readUInt16BE(0)).toBe(0x0101);
  // The mapped address is masked by the cookie (RFC 8489, 14.2).
  expect(response.readUInt16BE(26) ^ 0x2112).toBe(peer.socket.address().port);
  peer.send(DTLS);
  peer.send(createBindingRequest(ufrag, password));
  await peer.receive();
  expect(received).toEqual(['path', DTLS.toString('hex')]);
});

test('sends to the address that the peer nominated last', async () => {
  const [first, second] = [await openUdp(), await openUdp()];
  const { ufrag, password } = agent.credentials;
  first.send(createBindingRequest(ufrag, password, true));
  await first.receive();
  agent.send(DTLS);
  expect(await first.receive()).toEqual(DTLS);
  second.send(createBindingRequest(ufrag, password));
  await second.receive();
  agent.send(DTLS);
  expect(await first.receive()).toEqual(DTLS);
  second.send(createBindingRequest(ufrag, password, true));
  await second.receive();
  agent.send(DTLS);
  expect(await second.receive()).toEqual(DTLS);
});

test('keeps the newest sixteen addresses of a connection', async () => {
  const { ufrag, password } = agent.credentials;
  const peers = [];
  for (let count = 0; count < 17; count++) {
    const peer = await openUdp();
    peer.send(createBindingRequest(ufrag, password));
    await peer.receive();
    peers.push(peer);
  }
  const [first, last] = [peers[0], peers[16]];
  first?.send(DTLS);
  last?.send(DTLS);
  last?.send(createBindingRequest(ufrag, password));
  await last?.receive();
  expect(received).toEqual(['path', DTLS.toString('hex')]);
});

test('creates new credentials on restart, accepts the previous ones, and rejects those of a closed agent', async () => {
  const peer = await openUdp();
  const [old] = [agent.credentials];
  agent.restart();
  expect(agent.credentials.ufrag).not.toBe(old.ufrag);
  for (const { ufrag, password } of [old, agent.credentials]) {
    peer.send(createBindingRequest(ufrag, password));
    await peer.receive();
  }
  agent.restart();
  const { ufrag, password } = agent.credentials;
  agent.close();
  peer.send(createBindingRequest(ufrag, password));
  const other = new IceLiteAgent(port, { onPath: () => undefined, onData: () => undefined, onError: () => undefined });
  peer.send(createBindingRequest(other.credentials.ufrag, other.credentials.password));
  await peer.receive();
  peer.send(DTLS);
  peer.send(createBindingRequest(other.credentials.ufrag, other.credentials.password));
  await peer.receive();
  expect(received).toEqual(['path']);
});

test('receives frames over TCP in any segmentation, and closes connections without a known agent', async () => {
  const { port: to } = port.candidates().find(({ protocol }) => protocol === 'tcp') ?? { port: 0 };
  const frame = (data: Buffer) => Buffer.concat([Buffer.from([data.length >> 8, data.length & 0xff]), data]);
  const { ufrag, password } = agent.credentials;
  const peer = connect(to, '127.0.0.1');
  const both = Buffer.concat([frame(createBindingRequest(ufrag, password, true)), frame(DTLS)]);
  for (const byte of both) peer.write(Buffer.from([byte]));
  const [answer] = (await once(peer, 'data')) as [Buffer];
  expect(answer.readUInt16BE(2)).toBe(0x0101);
  agent.send(DTLS);
  const [sent] = (await once(peer, 'data')) as [Buffer];
  expect(sent).toEqual(frame(DTLS));
  expect(received).toEqual(['path', DTLS.toString('hex')]);
  const stranger = connect(to, '127.0.0.1');
  stranger.write(frame(DTLS));
  await once(stranger, 'close');
  const flood = connect(to, '127.0.0.1');
  flood.write(Buffer.from([0xff, 0xff]));
  await once(flood, 'close');
  peer.destroy();
});

test('ignores malformed datagrams, and reports errors of a reader', async () => {
  const [peer, stranger] = [await openUdp(), await openUdp()];
  const errors = new Set<string>();
  const throwing_agent = new IceLiteAgent(port, {
    onPath: () => undefined,
    onData: () => {
      throw new Error('a reader that trips');
    },
    onError: (error) => void errors.add(String(error)),
  });
  const { ufrag, password } = throwing_agent.credentials;
  peer.send(createBindingRequest(ufrag, password));
  await peer.receive();
  const check = createBindingRequest(agent.credentials.ufrag, agent.credentials.password);
  const random = randomFrom(seedOf(usual_seed).seed);
  const below = (end: number) => Math.floor(random() * end);
  /** The check with a few other bytes: one that remained as it was would make the stranger's address that of the agent. */
  const garble = (changes: number) => {
    const garbled = Buffer.from(check);
    for (let change = 0; change < changes || garbled.equals(check); change++)
      garbled[below(garbled.length)] = below(256);
    return garbled.subarray(0, 1 + below(garbled.length));
  };
  for (let round = 0; round < 300; round++) {
    stranger.send(garble(1 + (round % 4)));
    peer.send(Buffer.from(Array.from({ length: 1 + below(200) }, () => below(256))));
    peer.send(DTLS);
  }
  peer.send(createBindingRequest(ufrag, password));
  await peer.receive();
  expect(received).toEqual([]);
  expect([...errors]).toEqual(['Error: a reader that trips']);
});

test('announces external addresses instead of local ones of the same family', async () => {
  const behind = await MediaPort.open({ node_ips: ['203.0.113.5', '2001:db8::5'], udp_port: 0, tcp_port: undefined });
  const ips = behind.candidates().map(({ ip }) => ip);
  expect(ips).toContain('203.0.113.5');
  expect(ips.filter((ip) => ip !== '203.0.113.5' && ip !== '2001:db8::5')).toEqual([]);
  const [{ port: used_port } = { port: 0 }] = behind.candidates();
  await expect(MediaPort.open({ node_ips: ['203.0.113.5'], udp_port: used_port, tcp_port: undefined })).rejects.toThrow(
    'EADDRINUSE',
  );
  await behind.close();
});

const outside = findAddresses().find((ip) => ip !== '127.0.0.1' && !ip.includes(':'));

itUnlessMissing(
  outside ? undefined : 'a second network address',
  'serves only this machine at another address of it',
  async () => {
    const near = await MediaPort.open({
      node_ips: ['127.0.0.1'],
      for_this_machine: true,
      udp_port: 0,
      tcp_port: undefined,
    });
    const paths: string[] = [];
    const local = new IceLiteAgent(near, {
      onPath: () => paths.push('path'),
      onData: () => undefined,
      onError: () => undefined,
    });
    const { ufrag, password } = local.credentials;
    expect(near.candidates().map(({ ip }) => ip)).toEqual(['127.0.0.1', outside]);
    const to = near.candidates()[0]!.port;
    // Not one of the addresses of this machine, like that of a stranger.
    const stranger = createSocket('udp4').bind(0, '127.0.0.2');
    const neighbour = createSocket('udp4').bind(0, outside);
    sockets.push(stranger, neighbour);
    await Promise.all([once(stranger, 'listening'), once(neighbour, 'listening')]);
    const answers: string[] = [];
    stranger.on('message', () => answers.push('stranger'));
    stranger.send(createBindingRequest(ufrag, password), to, outside);
    await new Promise((resolve) => {
      neighbour.once('message', resolve);
      neighbour.send(createBindingRequest(ufrag, password), to, outside);
    });
    expect(paths).toEqual(['path']);
    // The stranger gets a response at loopback, so that the earlier check was not just slow.
    await new Promise((resolve) => {
      stranger.once('message', resolve);
      stranger.send(createBindingRequest(ufrag, password), to, '127.0.0.1');
    });
    expect(answers).toEqual(['stranger']);
    await near.close();
  },
);

test('binds no further addresses unless requested, or when it serves other machines anyway', async () => {
  const ipsOf = async (node_ips: string[], for_this_machine: boolean) => {
    const other = await MediaPort.open({ node_ips, for_this_machine, udp_port: 0, tcp_port: undefined });
    const ips = other.candidates().map(({ ip }) => ip);
    await other.close();
    return ips;
  };
  expect(await ipsOf(['127.0.0.1'], false)).toEqual(['127.0.0.1']);
  expect(await ipsOf(['203.0.113.5'], true)).toEqual(await ipsOf(['203.0.113.5'], false));
});

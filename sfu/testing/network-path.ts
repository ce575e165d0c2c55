/** A network between clients and the media server that a test can make lossy, change and cut. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SessionDescription, SignalResponse } from '@livekit/protocol';
import { WebSocket, WebSocketServer } from 'ws';
import { randomFrom } from '../../tools/seed.ts';

export type NetworkPath = {
  /** Where clients connect instead of the server's own address. */
  url: string;
  weather: LinkConditions;
  counts: { passed: number; dropped: number; overtaken: number; descriptions: number };
  /** Datagrams reach the server from another port from now on, as after a router forgot its translation. */
  rebind(): void;
  /** All media paths end for good; descriptions that pass later bring new ones. */
  cut(): void;
  /** The signal sockets break. */
  cutSignals(): void;
  close(): Promise<void>;
};

export type LinkConditions = {
  /** Share of the datagrams that are dropped, and that are overtaken by later ones, in either direction. */
  loss: number;
  overtaken: number;
  /** How long every datagram takes, in either direction. */
  delay_ms: number;
  /** What the line carries in each direction; what does not fit waits, and beyond half a second is dropped. */
  bits_per_second: number;
};

/** One direction of one line. */
type Lane = { free_at_ms: number };

type Front = { socket: Socket; ready: Promise<unknown>; upstreams: Map<string, Socket>; up: Lane };

const OVERTAKEN_MS = 30;
const QUEUE_MS = 500;

/** Puts a network in front of a media server: signals pass as they are, but their candidates name relays. */
export async function startNetworkPath(server_url: string, seed = 1): Promise<NetworkPath> {
  const random = randomFrom(seed);
  const fronts = new Map<number, Front>();
  const weather: LinkConditions = { loss: 0, overtaken: 0, delay_ms: 0, bits_per_second: Infinity };
  const counts = { passed: 0, dropped: 0, overtaken: 0, descriptions: 0 };

  function pass(lane: Lane, bytes: number, send: () => void): void {
    const now_ms = performance.now();
    const free_at_ms = Math.max(now_ms, lane.free_at_ms) + (bytes * 8_000) / weather.bits_per_second;
    if (random() < weather.loss || free_at_ms - now_ms > QUEUE_MS) {
      counts.dropped++;
      return;
    }
    lane.free_at_ms = free_at_ms;
    counts.passed++;
    const overtaken = random() < weather.overtaken;
    if (overtaken) counts.overtaken++;
    const wait_ms = free_at_ms - now_ms + weather.delay_ms + (overtaken ? OVERTAKEN_MS : 0);
    if (wait_ms < 1) send();
    else setTimeout(send, wait_ms);
  }

  /** A datagram that is on its way when the path ends is lost. */
  const sendUnlessClosed = (socket: Socket, data: Buffer, port: number, address = '127.0.0.1') => {
    try {
      socket.send(data, port, address);
    } catch {
      counts.dropped++;
    }
  };

  function openFront(server_port: number): Front {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    const front: Front = { socket, ready: once(socket, 'listening'), upstreams: new Map(), up: { free_at_ms: 0 } };
    socket.on('message', (data, { address, port }) => {
      const client = `${address}:${port}`;
      let upstream = front.upstreams.get(client);
      if (!upstream) {
        upstream = createSocket('udp4').bind(0, '127.0.0.1');
        const down: Lane = { free_at_ms: 0 };
        upstream.on('message', (back) => pass(down, back.length, () => sendUnlessClosed(socket, back, port, address)));
        front.upstreams.set(client, upstream);
      }
      const out = upstream;
      pass(front.up, data.length, () => sendUnlessClosed(out, data, server_port));
    });
    fronts.set(server_port, front);
    return front;
  }

  /** Replaces the address of each UDP candidate by that of a relay to it. */
  async function redirect(sdp: string): Promise<string> {
    counts.descriptions++;
    const lines = sdp.split('\r\n').map(async (line) => {
      const words = line.split(' ');
      if (!line.startsWith('a=candidate:') || words[2]?.toLowerCase() !== 'udp') return line;
      const front = fronts.get(Number(words[5])) ?? openFront(Number(words[5]));
      await front.ready;
      words[4] = '127.0.0.1';
      words[5] = String(front.socket.address().port);
      return words.join(' ');
    });
    return (await Promise.all(lines)).join('\r\n');
  }

  async function translate(frame: Buffer): Promise<Buffer> {
    const response = SignalResponse.fromBinary(frame);
    const { message } = response;
    if (message.case !== 'offer' && message.case !== 'answer') return frame;
    const value = new SessionDescription(message.value);
    value.sdp = await redirect(value.sdp);
    response.message = { case: message.case, value };
    return Buffer.from(response.toBinary());
  }

  const closeFronts = () => {
    for (const { socket, upstreams } of fronts.values())
      for (const each of [socket, ...upstreams.values()]) each.close();
    fronts.clear();
  };
  const http = createServer((request, response) => {
    const forward = async () => {
      const answer = await fetch(new URL(request.url ?? '/', server_url));
      response.writeHead(answer.status, { 'access-control-allow-origin': '*' }).end(await answer.text());
    };
    forward().catch(() => response.writeHead(502).end());
  });
  // The newer signal address is refused as the server itself refuses it, so that clients fall back.
  const verifyClient = ({ req }: { req: IncomingMessage }, decide: (allowed: boolean, status?: number) => void) =>
    decide(!req.url?.startsWith('/rtc/v1'), 404);
  const sockets = new WebSocketServer({ server: http, verifyClient });
  sockets.on('connection', (client, request) => {
    const upstream = new WebSocket(new URL(request.url ?? '/', server_url.replace('http', 'ws')));
    const early: Buffer[] = [];
    client.on('message', (data: Buffer) => {
      if (upstream.readyState === upstream.OPEN) upstream.send(data);
      else early.push(data);
    });
    upstream.on('open', () => early.splice(0).forEach((data) => upstream.send(data)));
    let chain = Promise.resolve();
    upstream.on('message', (data: Buffer) => {
      chain = chain.then(async () => client.send(await translate(data)));
    });
    upstream.on('error', () => client.terminate());
    client.on('close', () => upstream.terminate());
    upstream.on('close', () => void chain.finally(() => client.close()));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    weather,
    counts,
    rebind() {
      for (const { upstreams } of fronts.values()) {
        for (const upstream of upstreams.values()) upstream.close();
        upstreams.clear();
      }
    },
    cut: closeFronts,
    cutSignals() {
      for (const client of sockets.clients) client.terminate();
    },
    async close() {
      for (const client of sockets.clients) client.terminate();
      closeFronts();
      http.close().closeAllConnections();
      await once(http, 'close');
    },
  };
}

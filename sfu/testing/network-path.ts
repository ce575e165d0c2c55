/** A network between clients and the media server, whose conditions a test can change and which it can cut. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SessionDescription, SignalResponse } from '@livekit/protocol';
import { WebSocket, WebSocketServer } from 'ws';
import { randomFrom } from '../../testing/seed.ts';

/** A network that has been started. */
export type NetworkPath = {
  /** The address for clients, instead of that of the server. */
  url: string;
  conditions: LinkConditions;
  counts: { passed: number; dropped: number; overtaken: number; descriptions: number };
  /** Sees each datagram of the server; what it returns arrives in its place. */
  tamper: ((data: Buffer) => Buffer[]) | undefined;
  /** Sends datagrams to the server from another port from now on, as after a router has lost its NAT mapping. */
  rebind(): void;
  /** Ends all media paths permanently; later session descriptions create new ones. */
  cut(): void;
  /** Closes the signal sockets. */
  cutSignals(): void;
  close(): Promise<void>;
};

/** The quality of the network; tests may change it at any time. */
export type LinkConditions = {
  /** Share of the datagrams that are dropped, and that are delayed behind later ones, in either direction. */
  loss: number;
  reordered: number;
  /** The delay of every datagram, in either direction. */
  delay_ms: number;
  /** The bitrate in each direction; excess datagrams are queued for up to half a second, and then dropped. */
  bits_per_second: number;
};

/** One direction of a path. */
type Lane = { free_at_ms: number };

type Front = { socket: Socket; ready: Promise<unknown>; upstreams: Map<string, Socket>; up: Lane };

const OVERTAKEN_MS = 30;
const QUEUE_MS = 500;

/** Starts a network in front of a media server: signals pass unchanged, except that their candidates name relays. */
export async function startNetworkPath(server_url: string, seed = 1): Promise<NetworkPath> {
  const random = randomFrom(seed);
  const fronts = new Map<number, Front>();
  const conditions: LinkConditions = { loss: 0, reordered: 0, delay_ms: 0, bits_per_second: Infinity };
  const counts = { passed: 0, dropped: 0, overtaken: 0, descriptions: 0 };

  function pass(lane: Lane, bytes: number, send: () => void): void {
    const now_ms = performance.now();
    const free_at_ms = Math.max(now_ms, lane.free_at_ms) + (bytes * 8_000) / conditions.bits_per_second;
    if (random() < conditions.loss || free_at_ms - now_ms > QUEUE_MS) {
      counts.dropped++;
      return;
    }
    lane.free_at_ms = free_at_ms;
    counts.passed++;
    const overtaken = random() < conditions.reordered;
    if (overtaken) counts.overtaken++;
    const wait_ms = free_at_ms - now_ms + conditions.delay_ms + (overtaken ? OVERTAKEN_MS : 0);
    if (wait_ms < 1) send();
    else setTimeout(send, wait_ms);
  }

  /** Sends a datagram, which is lost when the path has ended in the meantime. */
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
        upstream.on('message', (back) => {
          for (const each of path.tamper?.(back) ?? [back])
            pass(down, each.length, () => sendUnlessClosed(socket, each, port, address));
        });
        front.upstreams.set(client, upstream);
      }
      const out = upstream;
      pass(front.up, data.length, () => sendUnlessClosed(out, data, server_port));
    });
    fronts.set(server_port, front);
    return front;
  }

  /** Replaces the address of each UDP candidate with that of a relay to it. */
  async function redirect(sdp: string): Promise<string> {
    counts.descriptions++;
    const lines = sdp.split('\r\n').map(async (line) => {
      const fields = line.split(' ');
      if (!line.startsWith('a=candidate:') || fields[2]?.toLowerCase() !== 'udp') return line;
      const front = fronts.get(Number(fields[5])) ?? openFront(Number(fields[5]));
      await front.ready;
      fields[4] = '127.0.0.1';
      fields[5] = String(front.socket.address().port);
      return fields.join(' ');
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
      const { method = 'GET', headers } = request;
      const { authorization = '', 'content-type': type = '' } = headers;
      const answer = await fetch(new URL(request.url ?? '/', server_url), {
        method,
        ...(method === 'POST' && { headers: { authorization, 'content-type': type }, body: await text(request) }),
      });
      const answer_type = answer.headers.get('content-type') ?? 'text/plain';
      response
        .writeHead(answer.status, { 'access-control-allow-origin': '*', 'content-type': answer_type })
        .end(await answer.text());
    };
    forward().catch(() => response.writeHead(502).end());
  });
  // The newer signal path is refused as by the server itself, so that clients fall back.
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
  const path: NetworkPath = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    conditions,
    counts,
    tamper: undefined,
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
  return path;
}

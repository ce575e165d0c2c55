/** A network between clients and the media server, whose conditions a test can change and which it can cut. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
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

/** The relay to one UDP port of the server, with a socket towards it for each client. */
type Front = { socket: Socket; ready: Promise<unknown>; upstreams: Map<string, Socket>; up: Lane };

type Counts = NetworkPath['counts'];

/** Sends a datagram after its delay, or drops it. */
type Pass = (lane: Lane, bytes: number, send: () => void) => void;

const OVERTAKEN_MS = 30;
const QUEUE_MS = 500;

/** Starts a network in front of a media server: signals pass unchanged, except that their candidates name relays. */
export async function startNetworkPath(server_url: string, seed = 1): Promise<NetworkPath> {
  const conditions: LinkConditions = { loss: 0, reordered: 0, delay_ms: 0, bits_per_second: Infinity };
  const counts = { passed: 0, dropped: 0, overtaken: 0, descriptions: 0 };
  const pass = createLink(conditions, counts, randomFrom(seed));
  const media = createMediaRelay({ pass, counts, tamper: (data) => path.tamper?.(data) ?? [data] });
  const http = createServer((request, response) => {
    forward(server_url, request, response).catch(() => response.writeHead(502).end());
  });
  const signals = relaySignals(http, server_url, media.redirect);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const cutSignals = () => {
    for (const client of signals.clients) client.terminate();
  };
  const path: NetworkPath = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    conditions,
    counts,
    tamper: undefined,
    rebind: media.rebind,
    cut: media.close,
    cutSignals,
    async close() {
      cutSignals();
      media.close();
      http.close().closeAllConnections();
      await once(http, 'close');
    },
  };
  return path;
}

/** A link of these conditions, which may change. */
function createLink(conditions: LinkConditions, counts: Counts, random: () => number): Pass {
  return (lane, bytes, send) => {
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
  };
}

type MediaRelayOptions = { pass: Pass; counts: Counts; tamper: (data: Buffer) => Buffer[] };

/** Relays of datagrams: one for each UDP port that a description of the server names. */
function createMediaRelay({ pass, counts, tamper }: MediaRelayOptions) {
  const fronts = new Map<number, Front>();

  /** Sends a datagram, which is lost when the path has ended in the meantime. */
  const sendUnlessClosed = (socket: Socket, data: Buffer, port: number, address = '127.0.0.1') => {
    try {
      socket.send(data, port, address);
    } catch {
      counts.dropped++;
    }
  };

  /** The socket towards the server for a client, whose answers go back to the client. */
  function openUpstream(front: Front, address: string, port: number): Socket {
    const upstream = createSocket('udp4').bind(0, '127.0.0.1');
    const down: Lane = { free_at_ms: 0 };
    upstream.on('message', (back) => {
      for (const each of tamper(back))
        pass(down, each.length, () => sendUnlessClosed(front.socket, each, port, address));
    });
    front.upstreams.set(`${address}:${port}`, upstream);
    return upstream;
  }

  function openFront(server_port: number): Front {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    const front: Front = { socket, ready: once(socket, 'listening'), upstreams: new Map(), up: { free_at_ms: 0 } };
    socket.on('message', (data, { address, port }) => {
      const upstream = front.upstreams.get(`${address}:${port}`) ?? openUpstream(front, address, port);
      pass(front.up, data.length, () => sendUnlessClosed(upstream, data, server_port));
    });
    fronts.set(server_port, front);
    return front;
  }

  return {
    /** Replaces the address of each UDP candidate with that of a relay to it. */
    async redirect(sdp: string): Promise<string> {
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
    },
    rebind() {
      for (const { upstreams } of fronts.values()) {
        for (const upstream of upstreams.values()) upstream.close();
        upstreams.clear();
      }
    },
    close() {
      for (const { socket, upstreams } of fronts.values())
        for (const each of [socket, ...upstreams.values()]) each.close();
      fronts.clear();
    },
  };
}

/** Relays the signal sockets that arrive at a server, with descriptions as `redirect` changes them. */
function relaySignals(http: Server, server_url: string, redirect: (sdp: string) => Promise<string>): WebSocketServer {
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
      chain = chain.then(async () => client.send(await translate(data, redirect)));
    });
    upstream.on('error', () => client.terminate());
    client.on('close', () => upstream.terminate());
    upstream.on('close', () => void chain.finally(() => client.close()));
  });
  return sockets;
}

/** A frame of the server with its description changed, if it has one. */
async function translate(frame: Buffer, redirect: (sdp: string) => Promise<string>): Promise<Buffer> {
  const response = SignalResponse.fromBinary(frame);
  const { message } = response;
  if (message.case !== 'offer' && message.case !== 'answer') return frame;
  const value = new SessionDescription(message.value);
  value.sdp = await redirect(value.sdp);
  response.message = { case: message.case, value };
  return Buffer.from(response.toBinary());
}

/** Passes on a request without a socket. */
async function forward(server_url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
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
}

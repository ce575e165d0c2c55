/** Asks STUN servers for our public address, and relays for an allocation (RFC 8489, RFC 8656). */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const COOKIE = 0x2112a442;
const [BINDING, ALLOCATE, REFRESH] = [0x0001, 0x0003, 0x0004];
const ATTRIBUTE = {
  username: 0x0006,
  integrity: 0x0008,
  error: 0x0009,
  lifetime: 0x000d,
  realm: 0x0014,
  nonce: 0x0015,
  transport: 0x0019,
  mapped: 0x0020,
};
const UDP = 17;
const TIMEOUT_MS = 3_000;
const REPEAT_MS = 500;

type Attributes = Map<number, Buffer>;
type Reply = { succeeded: boolean; attributes: Attributes };

function writeAttribute(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

/** Encodes a request; with a key it is signed (RFC 8489, 14.5). */
function writeRequest(method: number, attributes: [number, Buffer][], key?: Buffer): Buffer {
  const body = Buffer.concat(attributes.map(([type, value]) => writeAttribute(type, value)));
  const head = Buffer.alloc(20);
  head.writeUInt16BE(method);
  head.writeUInt16BE(body.length + (key ? 24 : 0), 2);
  head.writeUInt32BE(COOKIE, 4);
  randomBytes(12).copy(head, 8);
  const message = Buffer.concat([head, body]);
  if (!key) return message;
  return Buffer.concat([
    message,
    writeAttribute(ATTRIBUTE.integrity, createHmac('sha1', key).update(message).digest()),
  ]);
}

function readReply(data: Buffer, request: Buffer): Reply | undefined {
  if (data.length < 20 || !data.subarray(4, 20).equals(request.subarray(4, 20))) return undefined;
  const attributes: Attributes = new Map();
  for (let at = 20; at + 4 <= data.length;) {
    const length = data.readUInt16BE(at + 2);
    attributes.set(data.readUInt16BE(at), data.subarray(at + 4, at + 4 + length));
    at += 4 + length + ((4 - (length % 4)) % 4);
  }
  return { succeeded: (data.readUInt16BE(0) & 0x0110) === 0x0100, attributes };
}

/** A socket to one server, which retransmits unanswered requests. */
async function openProbe(host: string, port: number) {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.on('error', () => undefined);
  return {
    async ask(request: Buffer): Promise<Reply | undefined> {
      const deadline = AbortSignal.timeout(TIMEOUT_MS);
      const send = () => socket.send(request, port, host, () => undefined);
      const repeat = setInterval(send, REPEAT_MS);
      send();
      try {
        for (;;) {
          const [data] = (await once(socket, 'message', { signal: deadline })) as [Buffer];
          const reply = readReply(data, request);
          if (reply) return reply;
        }
      } catch {
        return undefined;
      } finally {
        clearInterval(repeat);
      }
    },
    close: () => socket.close(),
  };
}

/** Our IPv4 address as a STUN server sees it; undefined when it does not respond. */
export async function askAddress(host: string, port: number): Promise<string | undefined> {
  const probe = await openProbe(host, port);
  try {
    const mapped = (await probe.ask(writeRequest(BINDING, [])))?.attributes.get(ATTRIBUTE.mapped);
    if (!mapped || mapped[1] !== 1) return undefined;
    return [0, 1, 2, 3].map((byte) => (mapped[4 + byte] ?? 0) ^ ((COOKIE >>> (24 - byte * 8)) & 0xff)).join('.');
  } finally {
    probe.close();
  }
}

const textOf = ({ attributes }: Reply): string => {
  const error = attributes.get(ATTRIBUTE.error);
  return error ? `${(error[2] ?? 0) * 100 + (error[3] ?? 0)} ${error.toString('utf8', 4)}`.trim() : 'no reason';
};

/**
 * Creates an allocation on a relay over UDP and deletes it.
 * @returns undefined on success, otherwise the reason for the failure
 */
export async function tryRelay(
  host: string,
  port: number,
  credentials: { username: string; credential: string },
): Promise<string | undefined> {
  const probe = await openProbe(host, port);
  const transport: [number, Buffer] = [ATTRIBUTE.transport, Buffer.from([UDP, 0, 0, 0])];
  try {
    const first = await probe.ask(writeRequest(ALLOCATE, [transport]));
    if (!first) return 'it does not answer';
    const [realm, nonce] = [first.attributes.get(ATTRIBUTE.realm), first.attributes.get(ATTRIBUTE.nonce)];
    if (!realm || !nonce) return `it answers ${textOf(first)}`;
    const { username, credential } = credentials;
    // The long-term key (RFC 8489, 9.2.2).
    const key = createHash('md5').update(`${username}:${realm.toString()}:${credential}`).digest();
    const proof: [number, Buffer][] = [
      [ATTRIBUTE.username, Buffer.from(username)],
      [ATTRIBUTE.realm, realm],
      [ATTRIBUTE.nonce, nonce],
    ];
    const second = await probe.ask(writeRequest(ALLOCATE, [transport, ...proof], key));
    if (!second) return 'it does not answer to credentials';
    if (!second.succeeded) return `it refuses the credentials: ${textOf(second)}`;
    await probe.ask(writeRequest(REFRESH, [[ATTRIBUTE.lifetime, Buffer.alloc(4)], ...proof], key));
    return undefined;
  } finally {
    probe.close();
  }
}

/** An SCTP association in memory, for tests of the packets that one side may receive. */
import * as werift from 'werift';
import type { SctpState } from '../transport/sctp/sctp-guard.ts';

/** Members of werift's association that its types declare private. */
export type AssociationSide = SctpState & {
  localVerificationTag: number;
  handleData(data: Buffer): Promise<void>;
  stop(): Promise<void>;
};

/** Creates one side, with the part of DTLS that werift's SCTP uses. */
function createSide(role: 'controlled' | 'controlling', send: (data: Buffer) => void) {
  const dtls = {
    id: role,
    iceTransport: { role },
    /** Set by werift, and removed when it stops. */
    dataReceiver: undefined as ((data: Buffer) => void) | undefined,
    sendData: async (data: Buffer) => send(data),
    onStateChange: new werift.Event(),
  };
  const transport = new werift.RTCSctpTransport(5_000);
  transport.setDtlsTransport(dtls as unknown as werift.RTCDtlsTransport);
  return { dtls, transport };
}

/**
 * Connects two sides, of which one opens a channel and sends messages, some of them fragmented.
 * @returns the receiving side, and all packets sent to it
 */
export async function openAssociation() {
  const packets: Buffer[] = [];
  const server = createSide('controlled', (data) => setImmediate(() => client.dtls.dataReceiver?.(data)));
  const client = createSide('controlling', (data) => {
    packets.push(data);
    setImmediate(() => server.dtls.dataReceiver?.(data));
  });
  const received = new Promise<void>((resolve) => {
    server.transport.onDataChannel.subscribe((channel) => {
      channel.onMessage.subscribe((data) => {
        if (String(data) === 'last') resolve();
      });
    });
  });
  await server.transport.start(5_000);
  await client.transport.start(5_000);
  const channel = new werift.RTCDataChannel(
    client.transport,
    new werift.RTCDataChannelParameters({ label: '_reliable' }),
  );
  for (const data of [Buffer.from('first'), Buffer.alloc(5_000), Buffer.from('last')]) channel.send(data);
  await received;
  await client.transport.stop();
  const side = server.transport.sctp as unknown as AssociationSide;
  return { server: side, packets };
}

/** Sets the verification tag of the receiver and the checksum of a packet (RFC 9260, 6.8), as a peer would. */
export function repairChecksum(packet: Buffer, receiver: AssociationSide): Buffer {
  if (packet.length < 12) return packet;
  packet.writeUInt32BE(receiver.localVerificationTag, 4);
  packet.writeUInt32LE(0, 8);
  packet.writeUInt32LE(werift.crc32c(packet), 8);
  return packet;
}

import { DataPacket, DataPacket_Kind } from '@livekit/protocol';

/** A data packet to be forwarded, and its recipients; an empty list means everybody else in the room. */
export type RoutedData = { bytes: Buffer; reliable: boolean; identities: string[]; sids: string[] };

/**
 * Parses a client's data packet and replaces its sender by the true one.
 * @throws Error when the bytes are no data packet
 */
export function routeData(data: Buffer, reliable: boolean, sender: { sid: string; identity: string }): RoutedData {
  const packet = DataPacket.fromBinary(data);
  packet.participantSid = sender.sid;
  packet.participantIdentity = sender.identity;
  packet.kind = reliable ? DataPacket_Kind.RELIABLE : DataPacket_Kind.LOSSY;
  let identities = packet.destinationIdentities;
  let sids: string[] = [];
  if (packet.value.case === 'speaker') throw new Error('only the server says who speaks');
  if (packet.value.case === 'user') {
    const user = packet.value.value;
    user.participantSid = sender.sid;
    user.participantIdentity = sender.identity;
    // Older clients put the recipients into the inner packet.
    if (identities.length === 0) identities = user.destinationIdentities;
    sids = user.destinationSids;
  }
  return { bytes: Buffer.from(packet.toBinary()), reliable, identities, sids };
}

/** ICE connectivity checks of a peer, as its browser would send them. */
import { createHmac, randomBytes } from 'node:crypto';

/** Creates a binding request as a browser does (RFC 8489; RFC 8445, 7.1). */
export function createBindingRequest(ufrag: string, password: string, nominate = false): Buffer {
  const attribute = (type: number, value: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt16BE(type);
    head.writeUInt16BE(value.length, 2);
    return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
  };
  const head = Buffer.concat([Buffer.from('000100002112a442', 'hex'), randomBytes(12)]);
  const parts = [
    head,
    attribute(6, Buffer.from(`${ufrag}:peer`)),
    ...(nominate ? [attribute(0x25, Buffer.alloc(0))] : []),
  ];
  const signed = Buffer.concat(parts);
  signed.writeUInt16BE(signed.length - 20 + 24, 2);
  return Buffer.concat([signed, attribute(8, createHmac('sha1', password).update(signed).digest())]);
}

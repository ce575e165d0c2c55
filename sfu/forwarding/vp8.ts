/** The VP8 payload descriptor (RFC 7741, 4.2). Offsets are into the payload. */
export type Vp8Descriptor = {
  key_frame: boolean;
  picture_id: number | undefined;
  picture_id_bits: 7 | 15;
  picture_id_offset: number;
  tl0_index: number | undefined;
  tl0_offset: number;
  /** Whether the first byte of a frame follows. */
  starts_frame: boolean;
  /** The length of the descriptor in bytes; the frame follows. */
  header_bytes: number;
};

/** Parses the descriptor at the start of a VP8 payload; undefined when the payload is too short. */
export function parseVp8(payload: Buffer): Vp8Descriptor | undefined {
  const first = payload[0];
  if (first === undefined) return undefined;
  const result: Vp8Descriptor = {
    key_frame: false,
    picture_id: undefined,
    picture_id_bits: 7,
    picture_id_offset: 0,
    tl0_index: undefined,
    tl0_offset: 0,
    starts_frame: (first & 0x10) !== 0 && (first & 0x07) === 0,
    header_bytes: 0,
  };
  let offset = 1;
  if (first & 0x80) {
    const flags = payload[offset++] ?? 0;
    if (flags & 0x80) {
      const high = payload[offset] ?? 0;
      result.picture_id_offset = offset;
      if (high & 0x80) {
        result.picture_id_bits = 15;
        result.picture_id = ((high & 0x7f) << 8) | (payload[offset + 1] ?? 0);
        offset += 2;
      } else {
        result.picture_id = high;
        offset += 1;
      }
    }
    if (flags & 0x40) {
      result.tl0_index = payload[offset];
      result.tl0_offset = offset++;
    }
    // The temporal layer and the key index share one byte.
    if (flags & 0x30) offset++;
  }
  const frame = payload[offset];
  if (frame === undefined) return undefined;
  result.header_bytes = offset;
  result.key_frame = result.starts_frame && (frame & 0x01) === 0;
  return result;
}

/**
 * Keeps the picture ids and TL0 indices of one outgoing stream continuous when it switches between layers, each of
 * which counts separately.
 */
export type Vp8Rewriter = {
  /** To be called with the first packet (a key frame) of a new source. */
  switchTo(descriptor: Vp8Descriptor): void;
  /** The payload with continuous ids; copied only where something changes. */
  rewrite(payload: Buffer, descriptor: Vp8Descriptor): Buffer;
};

/** Creates one for a stream that has sent nothing yet. */
export function createVp8Rewriter(): Vp8Rewriter {
  let picture_shift = 0;
  let tl0_shift = 0;
  let last_picture_id: number | undefined;
  let last_tl0_index: number | undefined;
  return {
    switchTo(descriptor) {
      picture_shift =
        last_picture_id === undefined || descriptor.picture_id === undefined
          ? 0
          : (last_picture_id + 1 - descriptor.picture_id) & 0x7fff;
      tl0_shift =
        last_tl0_index === undefined || descriptor.tl0_index === undefined
          ? 0
          : (last_tl0_index + 1 - descriptor.tl0_index) & 0xff;
    },
    rewrite(payload, descriptor) {
      const picture_id =
        descriptor.picture_id === undefined
          ? undefined
          : (descriptor.picture_id + picture_shift) & (descriptor.picture_id_bits === 15 ? 0x7fff : 0x7f);
      const tl0_index = descriptor.tl0_index === undefined ? undefined : (descriptor.tl0_index + tl0_shift) & 0xff;
      last_picture_id = picture_id ?? last_picture_id;
      last_tl0_index = tl0_index ?? last_tl0_index;
      if (picture_shift === 0 && tl0_shift === 0) return payload;
      const copy = Buffer.from(payload);
      if (picture_id !== undefined) {
        if (descriptor.picture_id_bits === 15) copy.writeUInt16BE(0x8000 | picture_id, descriptor.picture_id_offset);
        else copy[descriptor.picture_id_offset] = picture_id;
      }
      if (tl0_index !== undefined) copy[descriptor.tl0_offset] = tl0_index;
      return copy;
    },
  };
}

/** The audio encoding of Twilio's media streams: µ-law at 8 kHz (ITU-T G.711). */

const BIAS = 0x84;
const LOUDEST = 32_635;

/** Decoding table: each byte as a 16-bit sample. */
const samples_of = Int16Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + BIAS) << ((bits & 0x70) >> 4)) - BIAS;
  return bits & 0x80 ? -magnitude : magnitude;
});

function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), LOUDEST) + BIAS;
  // The position of the highest bit is the segment, and the four bits below it are the mantissa.
  const segment = 31 - Math.clz32(magnitude) - 7;
  return ~(sign | (segment << 4) | ((magnitude >> (segment + 3)) & 0x0f)) & 0xff;
}

/** Encodes samples as µ-law. */
export const encodeMulaw = (samples: Int16Array): Buffer => Buffer.from(Uint8Array.from(samples, encodeSample));

/** Decodes µ-law to samples. */
export const decodeMulaw = (bytes: Uint8Array): Int16Array => Int16Array.from(bytes, (code) => samples_of[code] ?? 0);

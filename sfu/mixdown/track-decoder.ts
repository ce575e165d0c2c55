/** One recorded track as samples, decoded on demand. */
import { closeSync, openSync } from 'node:fs';
import { createDecoder, isOpusError, type OpusDecoderHandle } from 'libopus-wasm';
import { readPackets, type OpusPacket } from '../opus/ogg-reader.ts';

/** A file that starts at a given time. */
export class TrackDecoder {
  readonly #path: string;
  /** In samples at 48 kHz. */
  readonly starts_at: number;
  #file: number | undefined;
  #packets: Iterator<OpusPacket> | undefined;
  #decoder: OpusDecoderHandle | undefined;
  /** Interleaved stereo samples, and their position in the mix. */
  #decoded: Float32Array = new Float32Array(0);
  #decoded_at = 0;
  #has_ended = false;
  #ends_at = 0;

  /** The file is opened on first use. */
  constructor(path: string, starts_ms: number) {
    this.#path = path;
    this.starts_at = Math.round(starts_ms) * 48;
  }

  /** Whether all of it was consumed. */
  get has_ended(): boolean {
    return this.#has_ended;
  }

  /** The end of what was consumed, in samples at 48 kHz. */
  get ends_at(): number {
    return this.#ends_at;
  }

  /**
   * Adds its samples of a span, which must follow the previous one.
   * @throws Error when the file cannot be read or is not Ogg Opus
   */
  async addTo(mixture: Float32Array, from: number): Promise<void> {
    const to = from + mixture.length / 2;
    if (this.#has_ended || this.starts_at >= to) return;
    const decoder = (this.#decoder ??= await createDecoder({ channels: 2, sampleRate: 48_000 }));
    this.#packets ??= readPackets((this.#file = openSync(this.#path, 'r')));
    for (;;) {
      const [decoded, decoded_at] = [this.#decoded, this.#decoded_at];
      const decoded_to = decoded_at + decoded.length / 2;
      // Pre-skip samples lie before the start of the track.
      const [begin, end] = [Math.max(from, decoded_at, this.starts_at), Math.min(to, decoded_to)];
      for (let into = 2 * (begin - from), of = 2 * (begin - decoded_at); into < 2 * (end - from); into++, of++)
        mixture[into] = (mixture[into] ?? 0) + (decoded[of] ?? 0);
      if (decoded_to >= to) return;
      const { value, done } = this.#packets.next();
      if (done) return this.end();
      this.#decode(decoder, value as OpusPacket);
    }
  }

  /** A packet that the decoder rejects becomes silence of the same duration. */
  #decode(decoder: OpusDecoderHandle, { packet, samples, place }: OpusPacket): void {
    this.#decoded_at = this.starts_at + place;
    this.#ends_at = this.#decoded_at + samples;
    try {
      this.#decoded = decoder.decodeFloat(packet);
    } catch (error) {
      if (!isOpusError(error)) throw error;
      this.#decoded = new Float32Array(2 * samples);
    }
  }

  /** Closes the file and frees the decoder. */
  end(): void {
    this.#has_ended = true;
    this.#decoder?.free();
    if (this.#file !== undefined) closeSync(this.#file);
    this.#decoder = undefined;
    this.#file = undefined;
  }
}

/** Files of recorded audio in tests, as the recorder writes them: tones of known frequency, amplitude and time. */
import { writeFileSync } from 'node:fs';
import { decoder } from '@audio/decode-opus';
import { Application, createEncoder } from 'libopus-wasm';
import { GapFiller } from '../clients/recorder/opus-timeline.ts';
import { OggOpusWriter } from '../opus/ogg.ts';

const RATE = 48_000;
const FRAME = 960;

/** A tone of a length, or nothing sent without a frequency; times are multiples of 20 ms. */
export type Span = { ms: number; hertz?: number; amplitude?: number };

/** Encodes spans, one after the other. @returns the file */
export async function encodeTrack(spans: Span[]): Promise<Buffer> {
  const encoder = await createEncoder({ application: Application.Audio, bitrate: 64_000 });
  const pages: Buffer[] = [];
  const writer = new OggOpusWriter(7, (page) => pages.push(page));
  const gaps = new GapFiller((packet, samples) => writer.add(packet, samples));
  const frame = new Float32Array(2 * FRAME);
  let place = 0;
  for (const { ms, hertz, amplitude = 0.3 } of spans) {
    const end = place + (ms * RATE) / 1000;
    for (; place < end; place += FRAME) {
      if (hertz === undefined) continue;
      for (let at = 0; at < frame.length; at++)
        frame[at] = amplitude * Math.sin((2 * Math.PI * hertz * (place + Math.floor(at / 2))) / RATE);
      gaps.add(Buffer.from(encoder.encodeFloat(frame)), place);
    }
  }
  gaps.fillTo(place);
  writer.end();
  encoder.free();
  return Buffer.concat(pages);
}

/** Encodes spans into a file. */
export async function writeTrack(path: string, spans: Span[]): Promise<void> {
  writeFileSync(path, await encodeTrack(spans));
}

/** Decodes a file with an independent decoder. @returns the samples of each channel */
export async function decodeSound(bytes: Buffer): Promise<Float32Array[]> {
  const opus = await decoder();
  const pieces: Float32Array[][] = [];
  for (let at = 0; at < bytes.length; at += 4096) pieces.push(opus.decode(bytes.subarray(at, at + 4096)).channelData);
  pieces.push(opus.flush().channelData);
  opus.free();
  return [0, 1].map((channel) => {
    const all = pieces.map((piece) => piece[channel] ?? new Float32Array(0));
    const audio = new Float32Array(all.reduce((sum, { length }) => sum + length, 0));
    all.reduce((at, piece) => (audio.set(piece, at), at + piece.length), 0);
    return audio;
  });
}

/** The amplitude of a tone (Goertzel) in a span of the samples, by default half a second. */
export function amplitudeAt(audio: Float32Array, from_ms: number, hertz: number, ms = 500): number {
  const samples = audio.subarray((from_ms * RATE) / 1000, ((from_ms + ms) * RATE) / 1000);
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / RATE);
  let [previous, before] = [0, 0];
  for (const sample of samples) [previous, before] = [sample + coefficient * previous - before, previous];
  const power = previous ** 2 + before ** 2 - coefficient * previous * before;
  return samples.length === 0 ? 0 : (2 * Math.sqrt(Math.max(0, power))) / samples.length;
}

/** The peak amplitude of a span. */
export function peakOf(audio: Float32Array, from_ms = 0, to_ms = Infinity): number {
  return audio
    .subarray((from_ms * RATE) / 1000, (to_ms * RATE) / 1000)
    .reduce((peak, x) => Math.max(peak, Math.abs(x)), 0);
}

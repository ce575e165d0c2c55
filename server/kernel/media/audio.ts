/** Audio and video files: duration, tracks and waveform. Runs in a decoder process. */
import { parseBuffer } from 'music-metadata';
import { default_limits } from '../load/limits.ts';
import { createWaveformMeter, type WaveformMeter } from './waveform.ts';

/** Properties of an audio or video file. */
export type AudioFacts = { has_video: boolean; has_audio: boolean; duration_s?: number; waveform?: number[] };

type Decoded = { channelData: Float32Array[]; sampleRate: number };
/** `flush` returns the delayed samples of decoders that buffer some. */
type Decoder = { decode(chunk: Uint8Array): Decoded; flush?(): Decoded; free(): void };

/**
 * A small piece of a compressed file can expand a thousandfold: the piece size bounds what is decoded at once, in
 * bytes.
 */
const piece_bytes = 2048;
const max_channels = 8;

/** Reads a file; undefined when it cannot be read. */
export async function readAudio(bytes: Uint8Array, content_type: string): Promise<AudioFacts | undefined> {
  try {
    return await read(bytes, content_type);
  } catch {
    return undefined;
  }
}

async function read(bytes: Uint8Array, content_type: string): Promise<AudioFacts> {
  const { format } = await parseBuffer(bytes, { mimeType: content_type, size: bytes.length }, { duration: true });
  const has_video = format.hasVideo ?? format.trackInfo?.some(({ type }) => type === 1) ?? false;
  const audio = has_video ? undefined : await listen(bytes, content_type, format.codec ?? '');
  const duration_s = audio?.duration_s ?? format.duration;
  return {
    has_video,
    has_audio: format.hasAudio ?? true,
    ...(duration_s !== undefined && Number.isFinite(duration_s) && duration_s > 0 ? { duration_s } : {}),
    ...(audio ? { waveform: audio.waveform } : {}),
  };
}

/** The waveform of a file, where a decoder is available and finishes within `decoding_waveform_ms`. */
async function listen(
  bytes: Uint8Array,
  content_type: string,
  codec: string,
): Promise<ReturnType<WaveformMeter['result']>> {
  const decoder = await openDecoder(bytes, content_type, codec);
  if (!decoder) return undefined;
  let meter: WaveformMeter | undefined;
  const hear = ({ channelData, sampleRate }: Decoded) => {
    if (channelData.length === 0 || sampleRate <= 0) return;
    meter ??= createWaveformMeter(sampleRate);
    meter.add(channelData);
  };
  try {
    const end_ms = performance.now() + default_limits.decoding_waveform_ms;
    for (let at = 0; at < bytes.length; at += piece_bytes) {
      if (performance.now() > end_ms) return undefined;
      hear(decoder.decode(bytes.subarray(at, at + piece_bytes)));
    }
    if (decoder.flush) hear(decoder.flush());
  } catch {
    // What was decoded before the error is also what a player plays.
  } finally {
    decoder.free();
  }
  return meter?.result();
}

async function openDecoder(bytes: Uint8Array, content_type: string, codec: string): Promise<Decoder | undefined> {
  if (content_type === 'audio/mpeg') return (await import('@audio/decode-mp3')).decoder();
  if (content_type === 'audio/ogg' && /opus/i.test(codec) && isOpusBounded(bytes))
    return (await import('@audio/decode-opus')).decoder();
  if (content_type === 'audio/wav' && isWavBounded(bytes)) return (await import('@audio/decode-wav')).decoder();
  return undefined;
}

/** Whether every Opus stream header (RFC 7845, section 5.1) declares few channels. */
function isOpusBounded(bytes: Uint8Array): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = all.indexOf('OpusHead'); at >= 0; at = all.indexOf('OpusHead', at + 8))
    if ((all[at + 9] ?? 0) > max_channels) return false;
  return true;
}

/** Whether every format chunk of a WAV file is consistent: PCM, float or G.711, of few channels. */
function isWavBounded(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const nameAt = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  for (let at = 12; at + 24 <= bytes.length; at += 8 + view.getUint32(at + 4, true)) {
    if (nameAt(at) === 'data') return true;
    if (nameAt(at) !== 'fmt ') continue;
    const tag = view.getUint16(at + 8, true);
    const codec = tag === 0xfffe && at + 34 <= bytes.length ? view.getUint16(at + 32, true) : tag;
    const channels = view.getUint16(at + 10, true);
    const [block, bits] = [view.getUint16(at + 20, true), view.getUint16(at + 22, true)];
    const is_whole = block >= channels * Math.ceil(bits / 8) && bits >= 8;
    if (![1, 3, 6, 7].includes(codec) || channels < 1 || channels > max_channels || !is_whole) return false;
  }
  return false;
}

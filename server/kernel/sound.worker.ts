/**
 * Reads sound and video files in a thread of its own: what is broken, or made to cost time, costs this thread only.
 * It is given the bytes and what they seem to be, and answers what they hold.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { parseBuffer } from 'music-metadata';
import type { Heard } from './sound.ts';
import { createListener, type Listener } from './waveform.ts';

type Decoded = { channelData: Float32Array[]; sampleRate: number };
/** `flush` answers what waits for more to come, where a decoder holds something back. */
type Decoder = { decode(chunk: Uint8Array): Decoded; flush?(): Decoded; free(): void };

/** A small piece of a compressed file can hold a thousand packets: pieces bound what is decoded at once, in bytes. */
const piece_bytes = 2048;
const most_channels = 8;

const { bytes, content_type } = workerData as { bytes: Uint8Array; content_type: string };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(await read());

async function read(): Promise<Heard> {
  const { format } = await parseBuffer(bytes, { mimeType: content_type, size: bytes.length }, { duration: true });
  const has_video = format.hasVideo ?? format.trackInfo?.some(({ type }) => type === 1) ?? false;
  const heard = has_video ? undefined : await listen(format.codec ?? '');
  const duration_s = heard?.duration_s ?? format.duration;
  return {
    has_video,
    has_audio: format.hasAudio ?? true,
    ...(duration_s !== undefined && Number.isFinite(duration_s) && duration_s > 0 ? { duration_s } : {}),
    ...(heard ? { waveform: heard.waveform } : {}),
  };
}

/** What is heard in a file, where a decoder for it is at hand. */
async function listen(codec: string): Promise<ReturnType<Listener['result']>> {
  const decoder = await openDecoder(codec);
  if (!decoder) return undefined;
  let listener: Listener | undefined;
  const hear = ({ channelData, sampleRate }: Decoded) => {
    if (channelData.length === 0 || sampleRate <= 0) return;
    listener ??= createListener(sampleRate);
    listener.hear(channelData);
  };
  try {
    for (let at = 0; at < bytes.length; at += piece_bytes) hear(decoder.decode(bytes.subarray(at, at + piece_bytes)));
    if (decoder.flush) hear(decoder.flush());
  } catch {
    // What was heard up to the break is what a player plays.
  } finally {
    decoder.free();
  }
  return listener?.result();
}

async function openDecoder(codec: string): Promise<Decoder | undefined> {
  if (content_type === 'audio/mpeg') return (await import('@audio/decode-mp3')).decoder();
  if (content_type === 'audio/ogg' && /opus/i.test(codec) && isOpusBounded())
    return (await import('@audio/decode-opus')).decoder();
  if (content_type === 'audio/wav' && isWavBounded()) return (await import('@audio/decode-wav')).decoder();
  return undefined;
}

/** Whether every head of Opus streams (RFC 7845, section 5.1) names few channels. */
function isOpusBounded(): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = all.indexOf('OpusHead'); at >= 0; at = all.indexOf('OpusHead', at + 8))
    if ((all[at + 9] ?? 0) > most_channels) return false;
  return true;
}

/** Whether every format chunk of a WAV file says of itself what a sample needs: PCM, float or G.711, of few channels. */
function isWavBounded(): boolean {
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
    if (![1, 3, 6, 7].includes(codec) || channels < 1 || channels > most_channels || !is_whole) return false;
  }
  return false;
}

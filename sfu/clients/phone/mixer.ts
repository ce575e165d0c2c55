/** The audio that a phone hears: the tracks of a room, decoded and mixed at the phone network's 8 kHz. */
import { createDecoder, type OpusDecoderHandle } from 'libopus-wasm';
import type { TrackPacket } from '../recorder/receiving-peer.ts';

/** Samples of 20 ms at 8 kHz, mono. */
export const FRAME_SAMPLES = 160;

/** The sample rate of phones (ITU-T G.711). */
export const RATE_HZ = 8_000;

/** Playout of a track starts when this much is buffered, in samples: absorbs jitter. */
const LEAD_SAMPLES = 2 * FRAME_SAMPLES;
/** The maximum buffered, so that a connection that recovers from a stall does not stay delayed. */
const MAX_SAMPLES = 10 * FRAME_SAMPLES;
/** How many consecutive lost packets are concealed. */
const COVERED_PACKETS = 3;

/** One track: RTP packets in, samples out. */
class Track {
  readonly #decoder: OpusDecoderHandle;
  readonly #waiting: Int16Array[] = [];
  #samples = 0;
  #read = 0;
  #last: number | undefined;
  #sounds = false;

  constructor(decoder: OpusDecoderHandle) {
    this.#decoder = decoder;
  }

  add({ sequence, payload }: Omit<TrackPacket, 'marker'>): void {
    const step = this.#last === undefined ? 1 : (sequence - this.#last) & 0xffff;
    // A late packet has been concealed already.
    if (step === 0 || step > 0x8000) return;
    this.#last = sequence;
    try {
      const lost = step <= COVERED_PACKETS + 1 ? step - 1 : 0;
      for (let covered = 0; covered < lost; covered++) this.#push(this.#decoder.decodePacketLoss(FRAME_SAMPLES));
      this.#push(this.#decoder.decode(payload));
    } catch {
      // A packet that is not Opus counts as lost.
    }
  }

  #push(samples: Int16Array): void {
    this.#waiting.push(samples);
    this.#samples += samples.length;
    if (this.#samples > MAX_SAMPLES) this.#skip(this.#samples - LEAD_SAMPLES);
  }

  #skip(count: number): void {
    for (let left = count; left > 0; left--) this.#next();
  }

  #next(): number {
    const first = this.#waiting[0];
    if (!first) return 0;
    const sample = first[this.#read++] ?? 0;
    this.#samples--;
    if (this.#read < first.length) return sample;
    this.#waiting.shift();
    this.#read = 0;
    return sample;
  }

  addTo(sum: Int32Array): void {
    this.#sounds = this.#samples >= (this.#sounds ? FRAME_SAMPLES : LEAD_SAMPLES);
    if (!this.#sounds) return;
    for (let at = 0; at < FRAME_SAMPLES; at++) sum[at] = (sum[at] ?? 0) + this.#next();
  }

  free(): void {
    this.#decoder.free();
  }
}

/** Mixes the tracks of a room. */
export class Mixer {
  readonly #tracks = new Map<string, Track | 'opening'>();
  #closed = false;

  /** Adds a packet; the few that arrive while the decoder of their track loads are lost. */
  add(packet: Omit<TrackPacket, 'marker'>): void {
    const track = this.#tracks.get(packet.track_sid);
    if (track instanceof Track) track.add(packet);
    else if (track === undefined && !this.#closed)
      this.#open(packet.track_sid).catch(() => this.#tracks.delete(packet.track_sid));
  }

  async #open(track_sid: string): Promise<void> {
    this.#tracks.set(track_sid, 'opening');
    const track = new Track(await createDecoder({ sampleRate: RATE_HZ, channels: 1 }));
    if (this.#tracks.get(track_sid) === 'opening') this.#tracks.set(track_sid, track);
    else track.free();
  }

  /** The number of audible tracks. */
  size(): number {
    return [...this.#tracks.values()].filter((track) => track instanceof Track).length;
  }

  /** Frees the tracks that no longer exist. */
  keep(track_sids: ReadonlySet<string>): void {
    for (const [track_sid, track] of this.#tracks) {
      if (track_sids.has(track_sid)) continue;
      this.#tracks.delete(track_sid);
      if (track instanceof Track) track.free();
    }
  }

  /** The next 20 ms of the mix, clipped where it is too loud. */
  take(): Int16Array {
    const sum = new Int32Array(FRAME_SAMPLES);
    for (const track of this.#tracks.values()) if (track instanceof Track) track.addTo(sum);
    return Int16Array.from(sum, (sample) => Math.max(-32_768, Math.min(32_767, sample)));
  }

  close(): void {
    this.#closed = true;
    this.keep(new Set());
  }
}

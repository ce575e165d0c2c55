/** Turns timed Opus packets into a stream without gaps (RFC 6716, RFC 7845). */
import { samplesOf } from '../../opus/opus-packets.ts';

const RATE = 48_000;
const SAMPLES_PER_MS = RATE / 1000;
/** A silent frame: CELT, full band, 20 ms. */
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);
const SILENCE_SAMPLES = 20 * SAMPLES_PER_MS;
/** Gaps up to this are left to the decoder, which conceals loss and generates comfort noise for DTX. */
const CONCEALED_MS = 500;
/** Longer gaps do not occur within one stream; the excess is cut out. */
const MAX_GAP_MS = 12 * 3600 * 1000;

/**
 * Appends packets and fills gaps, since granule positions may only advance by the duration of packets (RFC 7845, 4.1):
 * with empty packets, which make the decoder conceal, and after half a second with silence.
 */
export class GapFiller {
  readonly #write: (packet: Buffer, samples: number) => void;
  #written = 0;
  #toc = 0xfc;

  constructor(write: (packet: Buffer, samples: number) => void) {
    this.#write = write;
  }

  /** Adds a packet at its time; malformed and late ones are dropped. */
  add(packet: Buffer, place: number): void {
    const samples = samplesOf(packet);
    if (samples === 0 || place + samples / 2 < this.#written) return;
    this.fillTo(place);
    this.#toc = packet[0] ?? this.#toc;
    this.#put(packet, samples);
  }

  /** Fills up to a time, in whole frames. */
  fillTo(place: number): void {
    const gap = Math.min(place - this.#written, MAX_GAP_MS * SAMPLES_PER_MS);
    const concealed_to = this.#written + Math.min(gap, CONCEALED_MS * SAMPLES_PER_MS);
    const silent_to = this.#written + gap;
    const concealing = Buffer.from([this.#toc & 0xfc]);
    const frame = samplesOf(concealing);
    while (this.#written + frame <= concealed_to) this.#put(concealing, frame);
    while (this.#written + SILENCE_SAMPLES <= silent_to) this.#put(SILENCE, SILENCE_SAMPLES);
  }

  #put(packet: Buffer, samples: number): void {
    this.#write(packet, samples);
    this.#written += samples;
  }

  /** The duration written so far, in ms. */
  writtenMs(): number {
    return this.#written / SAMPLES_PER_MS;
  }
}

import { SpeakerInfo } from '@livekit/protocol';

/** The level above which a packet counts as speech, in dB below full scale, as in LiveKit. */
const ACTIVE_LEVEL_DB = 40;
/** The fraction of packets in an interval that must be speech. */
const ACTIVE_SHARE = 0.4;

/** Collects the audio levels of one participant over an interval. */
export class SpeakerMeter {
  #packets = 0;
  #active_packets = 0;
  #loudest_db = 127;
  /** When there was speech last. */
  spoke_at_ms = -Infinity;

  add(level_db: number): void {
    this.#packets++;
    if (level_db < ACTIVE_LEVEL_DB) this.#active_packets++;
    this.#loudest_db = Math.min(this.#loudest_db, level_db);
  }

  /** The level from 0 to 1 since the last call; 0 without speech. */
  take(): number {
    const speaks = this.#packets > 0 && this.#active_packets / this.#packets >= ACTIVE_SHARE;
    if (speaks) this.spoke_at_ms = performance.now();
    // A resolution of an eighth is enough for display and keeps messages few.
    const level = speaks ? Math.max(0.125, Math.round(10 ** (-this.#loudest_db / 20) * 8) / 8) : 0;
    this.#packets = 0;
    this.#active_packets = 0;
    this.#loudest_db = 127;
    return level;
  }
}

type Heard = { sid: string; meter: SpeakerMeter; permission: { hidden: boolean } };

/** The active speakers of one room. */
export class Speakers {
  #now = new Map<string, number>();

  /**
   * To be called once an interval.
   * @returns participants who started or stopped speaking, or whose level changed, since the last call
   */
  update(participants: Iterable<Heard>): SpeakerInfo[] {
    const before = this.#now;
    const levels = [...participants].map((one) => [one, one.meter.take()] as const);
    const speaking = levels.filter(([one, level]) => level > 0 && !one.permission.hidden);
    this.#now = new Map(speaking.map(([{ sid }, level]) => [sid, level]));
    return compareSpeakers(before, this.#now);
  }
}

/** The changes between two intervals, in the form of LiveKit's `speakersChanged`. */
function compareSpeakers(before: Map<string, number>, now: Map<string, number>): SpeakerInfo[] {
  const changes: SpeakerInfo[] = [];
  for (const [sid, level] of now)
    if (before.get(sid) !== level) changes.push(new SpeakerInfo({ sid, level, active: true }));
  for (const sid of before.keys()) if (!now.has(sid)) changes.push(new SpeakerInfo({ sid, level: 0, active: false }));
  return changes;
}

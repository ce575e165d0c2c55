/** Selects the loudest speakers of a large room, to save the receivers' bandwidth and keep speech intelligible. */
import { LIMITS } from '../limits.ts';

type Voice = { level_db: number; heard_at_ms: number; chosen_at_ms: number };

/** How much louder a voice must be to replace another, in dB. */
const MARGIN_DB = 6;
/** Nobody is replaced within this time. */
const HOLD_MS = 1_000;
/** How long a participant may be silent until they lose their slot. */
const SILENCE_MS = 2_000;
/** The weight of the newest packet when it is louder, and when it is not: fast attack, slow release. */
const [RISE, FALL] = [0.5, 0.05];

/** Selects among the voices of one room; keys may be of any type. */
export class TopSpeakers<Key> {
  readonly #voices = new Map<Key, Voice>();
  readonly #chosen = new Set<Key>();
  readonly #max_places: number;
  #places: number;

  constructor(places: number = LIMITS.top_speakers) {
    this.#max_places = places;
    this.#places = places;
  }

  /** The voices that would have the places if all were free, the loudest first. */
  loudest(now_ms: number): Key[] {
    const heard = [...this.#voices].filter(([, { heard_at_ms }]) => now_ms - heard_at_ms <= SILENCE_MS);
    heard.sort(([, a], [, b]) => a.level_db - b.level_db);
    return heard.slice(0, this.#max_places).map(([key]) => key);
  }

  /** Sets how many voices have a place, up to the number of the beginning. The quietest lose theirs first. */
  setPlaces(places: number): void {
    this.#places = Math.min(places, this.#max_places);
    if (this.#chosen.size <= this.#places) return;
    const level = (key: Key) => this.#voices.get(key)?.level_db ?? 127;
    const quietest = [...this.#chosen].toSorted((a, b) => level(b) - level(a));
    for (const key of quietest.slice(0, this.#chosen.size - this.#places)) this.#chosen.delete(key);
  }

  /**
   * Records the level of a packet.
   * @returns whether it is forwarded
   * @param level_db below full scale: 0 loudest, 127 silent (RFC 6464)
   */
  update(key: Key, level_db: number, now_ms: number): boolean {
    let voice = this.#voices.get(key);
    if (!voice) {
      voice = { level_db: 127, heard_at_ms: now_ms, chosen_at_ms: -Infinity };
      this.#voices.set(key, voice);
    }
    voice.level_db += (level_db - voice.level_db) * (level_db < voice.level_db ? RISE : FALL);
    voice.heard_at_ms = now_ms;
    if (this.#chosen.has(key)) return true;
    if (this.#chosen.size >= this.#places) {
      const weakest = this.#findWeakest(voice.level_db + MARGIN_DB, now_ms);
      if (weakest === undefined) return false;
      this.#chosen.delete(weakest);
    }
    this.#chosen.add(key);
    voice.chosen_at_ms = now_ms;
    return true;
  }

  /** A voice that may be replaced by one of this level. */
  #findWeakest(least_db: number, now_ms: number): Key | undefined {
    let found: Key | undefined;
    let weakest_db = least_db;
    for (const key of this.#chosen) {
      const { level_db, heard_at_ms, chosen_at_ms } = this.#voices.get(key) as Voice;
      if (now_ms - chosen_at_ms < HOLD_MS) continue;
      const now_db = now_ms - heard_at_ms > SILENCE_MS ? 200 : level_db;
      if (now_db <= weakest_db) continue;
      found = key;
      weakest_db = now_db;
    }
    return found;
  }

  forget(key: Key): void {
    this.#voices.delete(key);
    this.#chosen.delete(key);
  }
}

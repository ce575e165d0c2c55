/** Chapters of a recording, from the times at which each person was speaking. */
import type { MixInput, RecordedTrack } from '../../engines/ports.ts';
import { default_limits } from '../load/limits.ts';

/** A chapter, and the identity of its speaker in the room. */
export type SpeakerChapter = MixInput['chapters'][number] & { identity: string };

type Turn = { identity: string; name: string; from_ms: number; to_ms: number };

/** A pause up to this long belongs to the same turn. */
const pause_ms = 3_000;
/** A shorter turn does not interrupt another. */
const min_turn_ms = 1_500;
/** `CHAPTERxxx` counts to 999. */
const max_chapters = default_limits.recording_chapters;

/** The turns of one person, merged across short pauses. */
function joinTurns(turns: Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns.toSorted((a, b) => a.from_ms - b.from_ms)) {
    const last = joined.at(-1);
    if (last && turn.from_ms - last.to_ms <= pause_ms) last.to_ms = Math.max(last.to_ms, turn.to_ms);
    else joined.push({ ...turn });
  }
  return joined;
}

/**
 * The chapters of a recording: one for each speaker turn, named after the speaker. The first starts at the beginning of
 * the recording. Of more than 999 the shortest turns are dropped.
 */
export function findChapters(tracks: Pick<RecordedTrack, 'identity' | 'name' | 'spoke'>[]): SpeakerChapter[] {
  const by_person = new Map<string, Turn[]>();
  for (const { identity, name, spoke } of tracks) {
    const turns = spoke.map((span) => ({ ...span, identity, name: name || identity }));
    by_person.set(identity, [...(by_person.get(identity) ?? []), ...turns]);
  }
  const turns = [...by_person.values()]
    .flatMap(joinTurns)
    .filter(({ from_ms, to_ms }) => to_ms - from_ms >= min_turn_ms)
    .toSorted((a, b) => b.to_ms - b.from_ms - (a.to_ms - a.from_ms))
    .slice(0, max_chapters)
    .toSorted((a, b) => a.from_ms - b.from_ms);
  return turns
    .filter(({ identity }, index) => identity !== turns[index - 1]?.identity)
    .map(({ identity, name, from_ms }, index) => ({ title: name, identity, from_ms: index === 0 ? 0 : from_ms }));
}

/**
 * When updates of participants are sent to their room. What changes too often waits, and is sent together with what else
 * has changed by then: a message costs as much as the room has people.
 */
import { ParticipantUpdate, type ParticipantInfo, type SignalResponse } from '@livekit/protocol';
import { createRateGate, LIMITS } from '../limits.ts';
import type { Participant } from './participant.ts';

/** The signal that tells clients the present state of participants. */
export const updateOf = (participants: ParticipantInfo[]): SignalResponse['message'] => ({
  case: 'update',
  value: new ParticipantUpdate({ participants }),
});

/** The updates of one room, bounded for each participant and for the room. */
export class ParticipantUpdates {
  readonly #gate = createRateGate(LIMITS.updates_per_second_of_room, LIMITS.updates_burst_of_room);
  /** Participants whose updates wait. */
  readonly #waiting = new Set<Participant>();
  #sent_at_ms = 0;

  /** Whether an update of a participant is to be sent now; otherwise it waits. */
  admits(participant: Participant, now_ms: number): boolean {
    const is_admitted = participant.updates.take(now_ms) && this.#gate.take(now_ms);
    if (is_admitted) this.#waiting.delete(participant);
    else this.#waiting.add(participant);
    return is_admitted;
  }

  /** One message with all updates that have waited long enough, if there are any; they wait no longer. */
  due(now_ms: number): SignalResponse['message'][] {
    if (this.#waiting.size === 0 || now_ms - this.#sent_at_ms < LIMITS.updates_interval_ms) return [];
    this.#sent_at_ms = now_ms;
    const infos = Array.from(this.#waiting, (participant) => participant.info());
    this.#waiting.clear();
    return [updateOf(infos)];
  }

  forget(participant: Participant): void {
    this.#waiting.delete(participant);
  }
}

/**
 * Connection quality of each participant, measured here, where a lost packet can be attributed to one participant's
 * connection and not to another's.
 */
import {
  ConnectionQuality,
  ConnectionQualityInfo,
  ConnectionQualityUpdate,
  ParticipantInfo_State,
} from '@livekit/protocol';
import { LIMITS } from '../limits.ts';
import type { Participant } from './participant.ts';

/** Above this loss, speech quality degrades noticeably (ITU-T G.113 puts the knee for Opus between 5 and 10 %). */
const FAIR_LOSS = 0.03;
const POOR_LOSS = 0.1;
/** The weight of the newest measurement. */
const NEWEST = 0.5;

type Measured = Pick<Participant, 'sid' | 'isMediaSilent' | 'permission' | 'state'> & {
  publisher: { lost_share: number };
  subscriber: { lostShare(): number };
};

/** Rates the connections of one room. */
export class ConnectionQualities {
  readonly #loss = new Map<string, number>();
  #announced = new Map<string, ConnectionQuality>();
  #at_ms = 0;

  /**
   * May be called at any rate; results are due about every two seconds, when they differ.
   * @returns the ratings of all connected, visible participants
   */
  update(participants: Iterable<Measured>, now_ms: number): ConnectionQualityUpdate | undefined {
    if (now_ms - this.#at_ms < LIMITS.quality_interval_ms) return undefined;
    this.#at_ms = now_ms;
    const grades = new Map<string, ConnectionQuality>();
    for (const one of participants)
      if (one.state === ParticipantInfo_State.ACTIVE && !one.permission.hidden)
        grades.set(one.sid, this.#grade(one, now_ms));
    for (const sid of this.#loss.keys()) if (!grades.has(sid)) this.#loss.delete(sid);
    const is_same =
      grades.size === this.#announced.size && [...grades].every(([sid, grade]) => this.#announced.get(sid) === grade);
    this.#announced = grades;
    if (is_same || grades.size === 0) return undefined;
    const updates = [...grades].map(
      ([participantSid, quality]) => new ConnectionQualityInfo({ participantSid, quality }),
    );
    return new ConnectionQualityUpdate({ updates });
  }

  #grade(one: Measured, now_ms: number): ConnectionQuality {
    const { sid, publisher, subscriber } = one;
    if (one.isMediaSilent(now_ms, LIMITS.connection_lost_ms)) return ConnectionQuality.LOST;
    const newest = Math.max(publisher.lost_share, subscriber.lostShare());
    const loss = newest * NEWEST + (this.#loss.get(sid) ?? newest) * (1 - NEWEST);
    this.#loss.set(sid, loss);
    if (loss > POOR_LOSS) return ConnectionQuality.POOR;
    return loss > FAIR_LOSS ? ConnectionQuality.GOOD : ConnectionQuality.EXCELLENT;
  }
}

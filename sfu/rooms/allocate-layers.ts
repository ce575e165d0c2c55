import { writeQualities } from '../forwarding/dynacast.ts';
import type { Participant } from './participant.ts';

/** Allocates layers to each receiver of a room, and tells publishers which layers have subscribers. */
export function allocateLayers(participants: Participant[], now_ms: number): void {
  for (const { subscriber } of participants) subscriber.allocateLayers(now_ms);
  for (const owner of participants)
    for (const track of owner.publisher.tracks.values()) {
      if (track.kind !== 'video' || track.mid === undefined) continue;
      const best = Math.max(-1, ...[...track.forwarders].map((forwarder) => forwarder.target()));
      const changed = track.watched.update(best, now_ms);
      if (changed === undefined) continue;
      const value = writeQualities(track.info.sid, changed, track.info.simulcast);
      owner.send({ case: 'subscribedQualityUpdate', value });
    }
}

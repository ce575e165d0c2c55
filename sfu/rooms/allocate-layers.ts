import { writeQualities } from '../forwarding/dynacast.ts';
import type { PacketBudget } from '../forwarding/packet-budget.ts';
import type { PublishedTrack } from '../forwarding/published-track.ts';
import type { Participant } from './participant.ts';
import { shedPackets } from './shed-packets.ts';
import type { TopSpeakers } from './top-speakers.ts';

/** What the participants of a room share. */
type Shared = {
  participants: ReadonlyMap<string, Participant>;
  voices: TopSpeakers<PublishedTrack>;
  packets: PacketBudget;
};

/**
 * Allocates layers to each receiver of a room, and tells publishers which layers have subscribers.
 * @param packets_per_second those that the room may forward
 */
export function allocateLayers(room: Shared, packets_per_second: number, now_ms: number): void {
  const participants = [...room.participants.values()];
  room.packets.wanted_per_second = shedPackets(participants, room.voices, packets_per_second, now_ms);
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

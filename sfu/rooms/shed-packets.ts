/** Which video layers, and how many voices, a room forwards when everything is more than it may forward. */
import { TrackSource } from '@livekit/protocol';
import { RANKS, type Rank } from '../forwarding/packet-budget.ts';
import type { PublishedTrack } from '../forwarding/published-track.ts';
import { LIMITS } from '../limits.ts';
import type { Participant } from './participant.ts';
import type { TopSpeakers } from './top-speakers.ts';

/** How long somebody counts as speaking after they spoke, so that a pause between sentences changes no picture. */
const SPEAKING_MS = 10_000;
/** What was shed returns at the earliest after this time, since rates vary and each return costs a key frame. */
const RETURN_MS = 5_000;
/** The part of the budget that is planned with; the rest is for what varies. */
const PLANNED_SHARE = 0.9;

/** What is given up, in this order, until the rest is within the budget: pictures lose detail before any is paused. */
const CUTS: { rank: Rank; quality: number }[] = [
  { rank: RANKS.camera, quality: 1 },
  { rank: RANKS.camera, quality: 0 },
  { rank: RANKS.shown, quality: 1 },
  { rank: RANKS.shown, quality: 0 },
  { rank: RANKS.camera, quality: -1 },
  { rank: RANKS.shown, quality: -1 },
];

type Video = {
  track: PublishedTrack;
  spoke_at_ms: number;
  /** The best quality that is forwarded. */
  quality: number;
  /** By quality: how many receivers want it, and the packets a second that one of them gets. */
  receivers: number[];
  rates: number[];
};

const QUALITIES = [0, 1, 2];

function createVideo(track: PublishedTrack, spoke_at_ms: number, now_ms: number): Video {
  const receivers = QUALITIES.map(() => 0);
  for (const forwarder of track.forwarders) {
    const wanted = forwarder.wanted();
    if (wanted >= 0) receivers[wanted] = (receivers[wanted] as number) + 1;
  }
  const rates = QUALITIES.map((quality) => track.packetsPerSecond(quality, now_ms));
  return { track, spoke_at_ms, quality: 2, receivers, rates };
}

/** The packets a second of a video to all its receivers, with at most a quality. */
const countPackets = ({ receivers, rates }: Video, max: number): number =>
  receivers.reduce((sum, count, wanted) => sum + count * (rates[Math.min(wanted, max)] ?? 0), 0);

/** All video of a room, in the order in which it loses detail: of those first who have not spoken for longest. */
function listVideos(participants: Participant[], now_ms: number): Video[] {
  const videos: Video[] = [];
  for (const { publisher, meter } of participants)
    for (const track of publisher.tracks.values()) {
      if (track.kind !== 'video') continue;
      const is_shown = track.info.source === TrackSource.SCREEN_SHARE || now_ms - meter.spoke_at_ms <= SPEAKING_MS;
      track.rank = is_shown ? RANKS.shown : RANKS.camera;
      videos.push(createVideo(track, meter.spoke_at_ms, now_ms));
    }
  return videos.sort((a, b) => (a.spoke_at_ms === b.spoke_at_ms ? 0 : a.spoke_at_ms - b.spoke_at_ms));
}

/** @returns the packets a second that remain */
function cutVideos(videos: Video[], wanted: number, max: number): number {
  let sum = wanted;
  for (const { rank, quality } of CUTS)
    for (const video of videos) {
      if (sum <= max) return sum;
      if (video.track.rank !== rank) continue;
      sum -= countPackets(video, video.quality) - countPackets(video, quality);
      video.quality = quality;
    }
  return sum;
}

/** The packets a second of all audio, by the number of top speakers: index 0 is the audio without any of them. */
function countVoices(participants: Participant[], voices: TopSpeakers<PublishedTrack>, now_ms: number): number[] {
  const recorders = participants.filter(({ permission }) => permission.recorder).length;
  let sum = 0;
  // Recorders get all voices.
  for (const { publisher } of participants)
    for (const track of publisher.tracks.values())
      if (track.kind === 'audio') sum += recorders * track.packetsPerSecond(0, now_ms);
  const sums = [sum];
  for (const track of voices.loudest(now_ms)) {
    sum += Math.max(0, track.forwarders.size - recorders) * track.packetsPerSecond(0, now_ms);
    sums.push(sum);
  }
  return sums;
}

/**
 * Sets the best layer of each video that the room may forward, and how many voices. To be called about twice a second.
 * @param per_second the packets that the room may forward
 * @returns those that it would forward if nothing were shed
 */
export function shedPackets(
  participants: Participant[],
  voices: TopSpeakers<PublishedTrack>,
  per_second: number,
  now_ms: number,
): number {
  const videos = listVideos(participants, now_ms);
  const sums = countVoices(participants, voices, now_ms);
  const of_voices = sums.at(-1) ?? 0;
  const wanted = videos.reduce((sum, video) => sum + countPackets(video, 2), of_voices);
  const max = per_second * PLANNED_SHARE;
  const remaining = wanted > per_second ? cutVideos(videos, wanted, max) : wanted;
  for (const { track, quality } of videos) track.shed(quality, now_ms, RETURN_MS);
  // Voices only when there is no video left that could be shed; the loudest one is always heard.
  const is_too_much = wanted > per_second && remaining > max;
  const places = is_too_much ? sums.findLastIndex((sum) => sum <= max) : LIMITS.top_speakers;
  voices.setPlaces(Math.max(1, places));
  return wanted;
}

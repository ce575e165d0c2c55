import { useParticipants, useSpeakingParticipants, useTracks } from '@livekit/components-react';
import type { TrackReferenceOrPlaceholder } from '@livekit/components-react';
import type { Call } from '@asterism/sdk';
import { Track } from 'livekit-client';
import { useRef } from 'react';
import { ownParticipant } from '../../../data/queries/call-queries.ts';
import { isPhone, personBehind } from '../state/person-behind.ts';
import type { CallParticipant } from '../state/ring-mutations.ts';

/** A tile: a video or screen of a participant, or a participant without media. */
export type TileModel =
  | { kind: 'media'; key: string; track: TrackReferenceOrPlaceholder; who: CallParticipant | undefined }
  | { kind: 'waiting'; key: string; who: CallParticipant };

const ON_THE_WAY = new Set<CallParticipant['state']>(['ringing', 'joining']);

/**
 * Whether a participant without media gets a tile: callees who are ringing, people on their phone, and phones called by
 * number in any state.
 */
function hasPlace(one: CallParticipant, user_id: string | undefined, dismissed: ReadonlySet<string>): boolean {
  if (one.user?.id === user_id || dismissed.has(one.id)) return false;
  if (one.leg !== null && (isPhone(one) || one.state === 'joined')) return true;
  return ON_THE_WAY.has(one.state);
}

/** The last speaker other than the reader. */
function useLastSpeaker(): string | undefined {
  const speaking = useSpeakingParticipants().find((one) => !one.isLocal)?.identity;
  const last = useRef(speaking);
  if (speaking !== undefined) last.current = speaking;
  return last.current;
}

/** All tiles in the order of joining, and the focused one. @param dismissed phones that the reader has dismissed */
export function useTiles(call: Call, user_id: string | undefined, dismissed: ReadonlySet<string>) {
  const tracks = useTracks(
    [
      { source: Track.Source.Camera, withPlaceholder: true },
      { source: Track.Source.ScreenShare, withPlaceholder: false },
    ],
    { onlySubscribed: false },
  );
  const present = new Set(useParticipants().map((one) => personBehind(call, one)?.id));
  const last_speaker = useLastSpeaker();
  const media = tracks.map((track): TileModel => {
    const key = `${track.participant.identity}-${track.source}`;
    // The reader has no identity in the room until they are connected.
    const own = track.participant.isLocal ? ownParticipant(call, user_id) : undefined;
    return { kind: 'media', key, track, who: personBehind(call, track.participant) ?? own };
  });
  const waiting = call.participants
    .filter((one) => !present.has(one.id) && hasPlace(one, user_id, dismissed))
    .map((who): TileModel => ({ kind: 'waiting', key: who.id, who }));
  const tiles = [...media, ...waiting];
  const isScreen = (tile: TileModel) => tile.kind === 'media' && tile.track.source === Track.Source.ScreenShare;
  const isOwn = (tile: TileModel) => tile.kind === 'media' && tile.track.participant.isLocal;
  const screen = tiles.find(isScreen);
  const speaker = tiles.find((tile) => tile.kind === 'media' && tile.track.participant.identity === last_speaker);
  const other = tiles.find((tile) => tile.kind === 'media' && !isOwn(tile)) ?? tiles.find((tile) => !isOwn(tile));
  return { tiles, isOwn, shares_screen: screen !== undefined, focus: screen ?? speaker ?? other ?? tiles[0] };
}

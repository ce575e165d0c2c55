import type { TilesToPlace } from './place-tiles.ts';
import { useParticipants, useSpeakingParticipants, useTracks } from '@livekit/components-react';
import type { TrackReferenceOrPlaceholder } from '@livekit/components-react';
import type { Call } from '@asterism/sdk';
import { Track } from 'livekit-client';
import { useRef } from 'react';
import { isReader, ownParticipant } from '../../../data/queries/call-queries.ts';
import { isPhone, participantOf } from '../state/media-identity.ts';
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
  if (isReader(one, user_id) || dismissed.has(one.id)) return false;
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

const isScreen = (tile: TileModel) => tile.kind === 'media' && tile.track.source === Track.Source.ScreenShare;
const isOwn = (tile: TileModel) => tile.kind === 'media' && tile.track.participant.isLocal;

/** The screen whose sharing began last. */
function useNewestScreen(tiles: readonly TileModel[]): TileModel | undefined {
  const begun = useRef<readonly string[]>([]);
  const keys = tiles.filter(isScreen).map(({ key }) => key);
  const known = begun.current.filter((key) => keys.includes(key));
  begun.current = [...known, ...keys.filter((key) => !known.includes(key))];
  const newest = begun.current.at(-1);
  return tiles.find(({ key }) => key === newest);
}

/** The tiles of a call in the order of joining, and those that a layout prefers. */
export type Tiles = TilesToPlace<TileModel>;

/**
 * The tiles of a call. The reader's own screen has none: in the middle of the screen that it shows, it would contain
 * itself.
 * @param dismissed phones that the reader has dismissed
 * @param pinned_key the tile that the reader has pinned, which may be absent
 */
export function useTiles(
  call: Call,
  user_id: string | undefined,
  dismissed: ReadonlySet<string>,
  pinned_key?: string,
): Tiles {
  const tracks = useTracks(
    [
      { source: Track.Source.Camera, withPlaceholder: true },
      { source: Track.Source.ScreenShare, withPlaceholder: false },
    ],
    { onlySubscribed: false },
  );
  const present = new Set(useParticipants().map((one) => participantOf(call, one)?.id));
  const last_speaker = useLastSpeaker();
  const media = tracks.map((track): TileModel => {
    const key = `${track.participant.identity}-${track.source}`;
    // The reader has no identity in the room until they are connected.
    const own = track.participant.isLocal ? ownParticipant(call, user_id) : undefined;
    return { kind: 'media', key, track, who: participantOf(call, track.participant) ?? own };
  });
  const waiting = call.participants
    .filter((one) => !present.has(one.id) && hasPlace(one, user_id, dismissed))
    .map((who): TileModel => ({ kind: 'waiting', key: who.id, who }));
  const tiles = [...media.filter((tile) => !isScreen(tile) || !isOwn(tile)), ...waiting];
  const pinned = tiles.find(({ key }) => key === pinned_key);
  const screen = useNewestScreen(tiles);
  const speaker = tiles.find((tile) => tile.kind === 'media' && tile.track.participant.identity === last_speaker);
  const other = tiles.find((tile) => tile.kind === 'media' && !isOwn(tile)) ?? tiles.find((tile) => !isOwn(tile));
  return { tiles, isOwn, pinned, screen, speaker, focus: pinned ?? screen ?? speaker ?? other ?? tiles[0] };
}

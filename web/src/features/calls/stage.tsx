import { isTrackReference, useIsSpeaking, useTracks, VideoTrack } from '@livekit/components-react';
import type { TrackReferenceOrPlaceholder } from '@livekit/components-react';
import type { Call } from '@asterism/sdk';
import type { Participant } from 'livekit-client';
import { Track } from 'livekit-client';
import { MicOff } from 'lucide-react';
import { Avatar } from '../../ui/avatar.tsx';

/** Finds who a media identity is among the people of the call. */
function personBehind(call: Call, participant: Participant) {
  const { identity } = participant;
  const known = call.participants.find((one) => one.id === identity || one.user?.id === identity);
  const name = known?.name || participant.name || 'Someone';
  return { name, username: known?.user?.username ?? name, url: known?.user?.avatar_url };
}

function Tile({ call, track }: { call: Call; track: TrackReferenceOrPlaceholder }) {
  const { participant, source } = track;
  const speaking = useIsSpeaking(participant);
  const screen = source === Track.Source.ScreenShare;
  const { name, username, url } = personBehind(call, participant);
  const shows = isTrackReference(track) && !track.publication.isMuted;
  const label = `${participant.isLocal ? `${name} (you)` : name}${screen ? ', screen' : ''}`;
  return (
    <li className="tile" data-speaking={speaking && !screen ? '' : undefined} data-screen={screen ? '' : undefined}>
      {shows ? (
        <VideoTrack
          trackRef={track}
          aria-label={label}
          data-mirrored={participant.isLocal && !screen ? '' : undefined}
        />
      ) : (
        <Avatar name={username} url={url} size_px={96} />
      )}
      <span className="tile-name">
        {participant.isMicrophoneEnabled || screen ? null : (
          <>
            <MicOff aria-hidden="true" size={15} />
            <span className="visually-hidden">Muted: </span>
          </>
        )}
        {label}
      </span>
    </li>
  );
}

/** Everybody in the call as tiles; a shared screen takes the most room. */
export function Stage({ call }: { call: Call }) {
  const tracks = useTracks(
    [
      { source: Track.Source.Camera, withPlaceholder: true },
      { source: Track.Source.ScreenShare, withPlaceholder: false },
    ],
    { onlySubscribed: false },
  );
  const sharing = tracks.some((track) => track.source === Track.Source.ScreenShare);
  // A shared screen comes first; the order of people stays as they came.
  const ordered = [...tracks].sort(
    (a, b) => Number(b.source === Track.Source.ScreenShare) - Number(a.source === Track.Source.ScreenShare),
  );
  return (
    <ul
      className="tiles"
      data-count={Math.min(tracks.length, 9)}
      data-sharing={sharing ? '' : undefined}
      aria-label="On stage"
    >
      {ordered.map((track) => (
        <Tile key={`${track.participant.identity}-${track.source}`} call={call} track={track} />
      ))}
    </ul>
  );
}

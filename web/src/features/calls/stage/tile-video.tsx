import { VideoTrack } from '@livekit/components-react';
import type { TrackReference } from '@livekit/components-react';
import { Track } from 'livekit-client';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { isRear } from '../media/flip-camera.tsx';

interface TileVideoProps {
  track: TrackReference;
  label?: string;
}

/**
 * The video of a participant, which knows whether it is upright: that of a phone changes as it is turned. The reader's own
 * is mirrored, as people know themselves, unless the camera looks at what they see.
 */
export function TileVideo({ track, label }: TileVideoProps) {
  const [{ is_upright, is_rear }, setShape] = useState({ is_upright: false, is_rear: false });
  const onShape = ({ currentTarget: { videoWidth, videoHeight } }: SyntheticEvent<HTMLVideoElement>) =>
    setShape({ is_upright: videoHeight > videoWidth, is_rear: isRear(track.publication.track?.mediaStreamTrack) });
  const is_mirrored = track.participant.isLocal && track.source === Track.Source.Camera && !is_rear;
  return (
    <VideoTrack
      trackRef={track}
      aria-label={label}
      data-mirrored={is_mirrored ? '' : undefined}
      data-upright={is_upright ? '' : undefined}
      onLoadedMetadata={onShape}
      onResize={onShape}
    />
  );
}

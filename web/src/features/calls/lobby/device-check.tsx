import { useEffect, useRef, useState } from 'react';
import type { SyntheticEvent } from 'react';
import { stepsToAllow } from '../media/browser-steps.ts';
import { useLevel } from '../media/use-preview.ts';
import type { DeviceState } from '../media/use-preview.ts';
import { i18n } from '../../../i18n/i18n.ts';

interface CameraPreviewProps {
  stream: MediaStream | undefined;
  /** Whether the camera is on, or starting. */
  is_on: boolean;
  /** Shown while there is no picture. */
  waiting: string;
}

/** The reader's own camera preview. */
export function CameraPreview({ stream, is_on, waiting }: CameraPreviewProps) {
  const [is_upright, setUpright] = useState(false);
  const onShape = ({ currentTarget: { videoWidth, videoHeight } }: SyntheticEvent<HTMLVideoElement>) =>
    setUpright(videoHeight > videoWidth);
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream ?? null;
  }, [stream]);
  return (
    <div className="preview" data-on={is_on ? '' : undefined}>
      {stream === undefined ? (
        <p className="soft" role="status">
          {waiting}
        </p>
      ) : (
        <video
          ref={video}
          autoPlay
          playsInline
          muted
          aria-label={i18n.t('Your camera, seen only by you')}
          data-upright={is_upright ? '' : undefined}
          onLoadedMetadata={onShape}
          onResize={onShape}
        />
      )}
    </div>
  );
}

/** Why a device cannot be used, and what to do about it. */
export function DeviceProblem({
  kind,
  tried,
}: {
  kind: 'microphone' | 'camera';
  tried: DeviceState & { onAgain: () => void };
}) {
  if (tried.problem === undefined) return null;
  return (
    <div className="notice stack-small" data-tone="danger" role="alert">
      <p>
        {tried.is_denied === true
          ? i18n.t(
              '{kind, select, camera {Your browser doesn’t let Asterism use the camera. To allow it:} other {Your browser doesn’t let Asterism use the microphone. To allow it:}}',
              { kind },
            )
          : tried.problem}
      </p>
      {tried.is_denied === true ? (
        <ol className="steps">
          {stepsToAllow(kind).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      ) : null}
      <p className="small">
        {i18n.t('{kind, select, camera {You can join without it.} other {You can join without it, and listen.}}', {
          kind,
        })}
      </p>
      <button type="button" className="button quiet" onClick={tried.onAgain}>
        {i18n.t('Try again')}
      </button>
    </div>
  );
}

/** The level of the microphone, so that the reader sees that it works. */
export function MicrophoneLevel({ stream }: { stream: MediaStream | undefined }) {
  const level = useLevel(stream);
  if (level === 'never')
    return (
      <p className="small soft">{i18n.t('The microphone level can’t be shown: this browser finds no speaker.')}</p>
    );
  if (level === undefined)
    return (
      <p className="small soft">
        {stream === undefined
          ? i18n.t('Your microphone is starting…')
          : i18n.t('Tap anywhere to test your microphone.')}
      </p>
    );
  return (
    <div className="level">
      <span className="small soft">{i18n.t('Level')}</span>
      <meter min={0} max={1} low={0.15} value={level} aria-label={i18n.t('Microphone level')} />
    </div>
  );
}

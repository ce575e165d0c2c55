import { getRouteApi } from '@tanstack/react-router';
import { Circle, Mic, RotateCcw, Square, Video } from 'lucide-react';
import { useRef, useState } from 'react';
import { nameOf } from '../../ui/avatar.tsx';
import { GoBack } from '../../ui/back-link.tsx';
import { Page } from '../../ui/page.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { describeDuration } from '../../ui/when.tsx';
import { useFoundPeople } from '../calendar/event/find-people.ts';
import { MAX_DURATION_S, useVideoRecorder } from './use-video-recorder.ts';
import { i18n } from '../../i18n/i18n.ts';
import { SendVideomail } from './send-videomail.tsx';
import './videomail.css';

const route = getRouteApi('/signed-in/videomail/$handle');

/** What to do when the browser denies access to camera or microphone. */
function Refused() {
  return (
    <div className="notice" data-tone="danger" role="alert">
      <p>
        {i18n.t(
          'Your browser doesn’t let Asterism use the camera or the microphone. Press the icon beside the address, allow both, and try again. If another program is using the camera, close it first.',
        )}
      </p>
    </div>
  );
}

type VideoRecorder = ReturnType<typeof useVideoRecorder>;

/** The buttons for the current state of a recorder. */
function Buttons({
  state,
  start,
  stop,
  begin,
  again,
}: Pick<VideoRecorder, 'state' | 'start' | 'stop'> & { begin: (camera: boolean) => void; again: () => void }) {
  if (state === 'ready') {
    return (
      <button type="button" className="button primary" onClick={start}>
        <Circle aria-hidden="true" />
        {i18n.t('Record')}
      </button>
    );
  }
  if (state === 'recording') {
    return (
      <button type="button" className="button danger" onClick={stop}>
        <Square aria-hidden="true" />
        {i18n.t('Stop')}
      </button>
    );
  }
  if (state === 'done') {
    return (
      <button type="button" className="button quiet" onClick={again}>
        <RotateCcw aria-hidden="true" />
        {i18n.t('Record again')}
      </button>
    );
  }
  return (
    <>
      <button type="button" className="button primary" onClick={() => begin(true)}>
        <Video aria-hidden="true" />
        {i18n.t('Video')}
      </button>
      <button type="button" className="button quiet" onClick={() => begin(false)}>
        <Mic aria-hidden="true" />
        {i18n.t('Audio only')}
      </button>
    </>
  );
}

/** The name of the person behind a username, where the reader may know it; a tag is its own name. Undefined while it is searched. */
function useNameOf(handle: string): string | undefined {
  const { people, is_first } = useFoundPeople(handle);
  const person = people.find(({ username }) => username === handle);
  if (person !== undefined) return nameOf(person);
  return is_first ? undefined : handle;
}

/** Records a message and sends it to a person, by tag or username. */
export function VideomailPage() {
  const { handle } = route.useParams();
  const { conference_id } = route.useSearch();
  const name = useNameOf(handle);
  const seen = useRef<HTMLVideoElement>(null);
  const { state, length_s, recording, open, start, stop } = useVideoRecorder(seen);
  const [with_camera, setCamera] = useState(true);
  const begin = (camera: boolean) => {
    setCamera(camera);
    void open(camera);
  };
  // While the name is not known there is none, so that it does not change before the reader's eyes.
  if (name === undefined)
    return <PageSkeleton back={<GoBack to="/inbox" />} narrow what={i18n.t('Loading the recipient')} />;
  const is_live = state === 'ready' || state === 'recording';
  const Shown = with_camera ? 'video' : 'audio';
  return (
    <Page
      title={i18n.t('Message for {name}', { name })}
      back={<GoBack to="/inbox" />}
      narrow
      intro={i18n.t('Up to {minutes} minutes of video or audio.', { minutes: MAX_DURATION_S / 60 })}
    >
      <section className="card stack" aria-label={i18n.t('Recorder')}>
        {state === 'refused' ? <Refused /> : null}
        <video
          ref={seen}
          className="videomail-view"
          hidden={!with_camera || !is_live}
          autoPlay
          muted
          playsInline
          aria-label={i18n.t('Your camera')}
        />
        {recording === undefined || state !== 'done' ? null : (
          <Shown
            src={recording.url}
            controls
            className={with_camera ? 'videomail-view' : undefined}
            aria-label={i18n.t('Your message')}
          />
        )}
        <p role="status" className="soft">
          {state === 'recording'
            ? i18n.t('Recording, {at} of {length}', {
                at: describeDuration(length_s),
                length: describeDuration(MAX_DURATION_S),
              })
            : null}
          {state === 'ready' ? i18n.t('Ready. Nothing is recorded yet.') : null}
        </p>
        <div className={state === 'idle' ? 'videomail-view videomail-start cluster' : 'cluster'}>
          <Buttons {...{ state, start, stop, begin }} again={() => begin(with_camera)} />
        </div>
        {state === 'done' && recording !== undefined ? (
          <SendVideomail file={recording.file} handle={handle} conference_id={conference_id} />
        ) : null}
      </section>
    </Page>
  );
}

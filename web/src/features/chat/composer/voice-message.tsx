import { Mic, SendHorizontal, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { describeDuration } from '../../../ui/when.tsx';
import type { useRecorder } from '../../files/use-recorder.ts';
import { i18n } from '../../../i18n/i18n.ts';

type Recorder = ReturnType<typeof useRecorder>;

/** The button in place of Send while there is nothing to send. */
export function RecordButton({ recorder: { state, start } }: { recorder: Recorder }) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-disabled={state === 'asking'}
      onClick={() => {
        if (state !== 'asking') void start();
      }}
    >
      <Mic aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Record a voice message')}</span>
    </button>
  );
}

/** The bar in place of the field while a voice message is recorded. */
function RecordingBar({ recorder: { length_s, stop, cancel } }: { recorder: Recorder }) {
  const send = useRef<HTMLButtonElement>(null);
  useEffect(() => send.current?.focus(), []);
  return (
    <div
      className="write-bar"
      role="group"
      aria-label={i18n.t('Voice message')}
      onKeyDown={({ key }) => {
        if (key === 'Escape') cancel();
      }}
    >
      <button type="button" className="icon-button" onClick={cancel}>
        <X aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Discard recording')}</span>
      </button>
      <p className="text-line recording-line">
        <span role="status">{i18n.t('Recording')}</span>
        <span role="timer">{describeDuration(length_s)}</span>
      </p>
      <button ref={send} type="button" className="icon-button solid" onClick={stop}>
        <SendHorizontal aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Send voice message')}</span>
      </button>
    </div>
  );
}

/** The state of a recording above the field: the bar that ends it, or why there is none. */
export function VoiceMessage({ recorder }: { recorder: Recorder }) {
  if (recorder.state === 'yes') return <RecordingBar recorder={recorder} />;
  if (recorder.state !== 'refused') return null;
  return (
    <p className="field-error recording-problem" role="alert">
      {i18n.t('Your browser doesn’t let Asterism use the microphone.')}
    </p>
  );
}

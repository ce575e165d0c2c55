import { Mic, Square } from 'lucide-react';
import { useEffect } from 'react';
import { describeProblem, fieldProblems, hasCode } from '../../ui/problems/problem.ts';
import { describeDuration } from '../../ui/when.tsx';
import { useRecorder } from '../files/use-recorder.ts';
import { useTranscribe } from './command-mutations.ts';
import { i18n } from '../../i18n/i18n.ts';

interface VoiceProps {
  /** Called with the transcribed text, which is shown and never run without confirmation. */
  onHeard: (text: string) => void;
  onProblem: (words: string | undefined) => void;
}

/** The maximum length of a spoken command: the service accepts 30 seconds. */
const MAX_DURATION_S = 29;

function describeVoiceProblem(error: unknown): string {
  if (hasCode(error, 'unavailable')) return i18n.t('Speech isn’t supported here. Type instead.');
  const { file } = fieldProblems(error);
  return file === undefined ? describeProblem(error) : i18n.t('That couldn’t be understood. Say it again, or type it.');
}

/** Dictates a command: press, speak, press again. */
export function VoiceButton({ onHeard, onProblem }: VoiceProps) {
  const transcribe = useTranscribe(onHeard);
  const recorder = useRecorder((file) =>
    transcribe.mutate(file, {
      onError: (error) => onProblem(describeVoiceProblem(error)),
    }),
  );
  const is_recording = recorder.state === 'yes';
  const { length_s, stop } = recorder;
  useEffect(() => {
    if (is_recording && length_s >= MAX_DURATION_S) stop();
  }, [is_recording, length_s, stop]);
  const press = () => {
    onProblem(undefined);
    if (is_recording) recorder.stop();
    else if (recorder.state !== 'asking' && !transcribe.isPending) void recorder.start();
  };
  return (
    <>
      <span role="status" className="soft small">
        {is_recording ? i18n.t('Listening {duration}', { duration: describeDuration(recorder.length_s) }) : ''}
        {transcribe.isPending ? i18n.t('Understanding…') : ''}
        {recorder.state === 'refused' ? i18n.t('Your browser doesn’t let Asterism use the microphone.') : ''}
      </span>
      <button
        type="button"
        className={is_recording ? 'icon-button solid' : 'icon-button'}
        aria-pressed={is_recording}
        onClick={press}
      >
        {is_recording ? <Square aria-hidden="true" /> : <Mic aria-hidden="true" />}
        <span className="visually-hidden">{is_recording ? i18n.t('Stop') : i18n.t('Dictate')}</span>
      </button>
    </>
  );
}

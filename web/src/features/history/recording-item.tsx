import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { When } from '../../ui/when.tsx';
import { Player } from '../files/player.tsx';
import { recordingsKey, type Recorded } from './history-queries.ts';
import { TrackPlayer } from './track-player.tsx';

const STATES: Readonly<Record<Recorded['state'], string>> = {
  announced: 'About to begin',
  recording: 'Being recorded',
  processing: 'Being put together',
  ready: '',
  failed: 'Nothing could be kept',
};

function RecordingPlayer({ recording, name }: { recording: Recorded; name: string }) {
  const [first] = recording.tracks;
  if (first === undefined) return null;
  if (first.name === null) return <Player file={first.file} name={name} chapters={recording.chapters} />;
  return <TrackPlayer recording={recording} name={name} />;
}

/** One recording, to be heard, or seen where it is a film, and deleted. */
export function RecordingItem({ recording, is_mine }: { recording: Recorded; is_mine: boolean }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => sdk.recordings.deleteRecording({ path: { recording_id: recording.id } }),
    onError: (error) => showToast(`It is still there: ${describeProblem(error)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: recordingsKey }),
  });
  const by = recording.by === null ? 'someone who left' : nameOf(recording.by);
  const is_over = recording.state === 'ready' || recording.state === 'failed';
  return (
    <li>
      <div className="list-main stack-small">
        <p>
          Recorded by <strong>{is_mine ? 'you' : by}</strong>{' '}
          {recording.started_at === null ? null : <When at={recording.started_at} />}
        </p>
        {STATES[recording.state] === '' ? null : <p className="soft">{STATES[recording.state]}</p>}
        <RecordingPlayer recording={recording} name={`Recording by ${by}`} />
      </div>
      {is_over ? (
        <Confirm
          title={is_mine ? 'Delete it for everybody?' : 'Take it from your list?'}
          text={
            is_mine
              ? 'No one who was in the call can play it any more.'
              : 'Others can still play it. Only the person who recorded it can delete it for everyone.'
          }
          action={is_mine ? 'Delete for all' : 'Take it away'}
          onConfirm={() => remove.mutate()}
          trigger={
            <button type="button" className="button button-plain button-icon">
              <Trash2 aria-hidden="true" />
              <span className="visually-hidden">Delete the recording by {by}</span>
            </button>
          }
        />
      ) : null}
    </li>
  );
}

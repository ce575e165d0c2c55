import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { sdk } from '../../asterism.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { When } from '../../ui/when.tsx';
import { Player } from '../files/player.tsx';
import { recordingsKey, type Recorded } from '../../data/queries/history-queries.ts';
import { TrackPlayer } from './track-player.tsx';
import { localizeSpeakers } from '../../i18n/default-names.ts';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';

const STATES: Readonly<Record<Recorded['state'], string>> = {
  get announced() {
    return i18n.t('About to begin');
  },
  get recording() {
    return i18n.t('Being recorded');
  },
  get processing() {
    return i18n.t('Being prepared');
  },
  ready: '',
  get failed() {
    return i18n.t('Recording failed');
  },
};

function RecordingPlayer({ recording, name }: { recording: Recorded; name: string }) {
  const [first] = recording.tracks;
  if (first === undefined) return null;
  if (first.name === null) return <Player file={first.file} name={name} chapters={recording.chapters} />;
  return <TrackPlayer recording={recording} name={name} />;
}

/** One recording, which can be played and deleted. */
export function RecordingItem({ recording: kept, is_mine }: { recording: Recorded; is_mine: boolean }) {
  // A new object of tracks would restart the player.
  const recording = useMemo(() => localizeSpeakers(kept), [kept]);
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => sdk.recordings.deleteRecording({ path: { recording_id: recording.id } }),
    onError: (error) => showToast(i18n.t('Couldn’t delete. {problem}', { problem: describeProblem(error) })),
    onSettled: () => queries.invalidateQueries({ queryKey: recordingsKey }),
  });
  const by = recording.by === null ? i18n.t('someone who left') : nameOf(recording.by);
  const is_over = recording.state === 'ready' || recording.state === 'failed';
  return (
    <li className="recording">
      <div className="list-main stack-small">
        <p>
          <RichMessage
            text={is_mine ? i18n.t('Recorded by <b>you</b>') : i18n.t('Recorded by <b>{by}</b>', { by })}
            parts={{ b: (words) => <strong>{words}</strong> }}
          />{' '}
          {recording.started_at === null ? null : <When at={recording.started_at} />}
        </p>
        {STATES[recording.state] === '' ? null : <p className="soft">{STATES[recording.state]}</p>}
        <RecordingPlayer recording={recording} name={i18n.t('Recording by {by}', { by })} />
      </div>
      {is_over ? (
        <Confirm
          title={is_mine ? i18n.t('Delete it for everyone?') : i18n.t('Remove it from your list?')}
          text={
            is_mine
              ? i18n.t('No one who was in the call can play it any more.')
              : i18n.t('Others can still play it. Only the person who recorded it can delete it for everyone.')
          }
          action={is_mine ? i18n.t('Delete for everyone') : i18n.t('Remove')}
          onConfirm={() => remove.mutate()}
          trigger={
            <button type="button" className="icon-button">
              <Trash2 aria-hidden="true" />
              <span className="visually-hidden">{i18n.t('Delete the recording by {by}', { by })}</span>
            </button>
          }
        />
      ) : null}
    </li>
  );
}

import type { Call } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleDot, CircleSlash } from 'lucide-react';
import { useState } from 'react';
import { sdk } from '../../asterism.ts';
import { useCallReader } from './state/call-reader.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { callQuery, cacheCall, ownParticipant } from '../../data/queries/call-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { listNames } from '../../i18n/list-names.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';
import { ConsentButtons } from './consent-buttons.tsx';

/** Starts and stops the recording of the reader's call. */
export function useRecording(call: Call) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (on: boolean): Promise<Call | undefined> => {
      if (on) return sdk.recordings.startCallRecording();
      await sdk.recordings.stopCallRecording();
      return undefined;
    },
    onSuccess: (changed) => {
      if (changed === undefined) void queries.invalidateQueries({ queryKey: callQuery(call.join_code).queryKey });
      else cacheCall(queries, changed);
    },
    onError: (error) => showToast(describeProblem(error)),
  });
}

/** The reader's consent to the recording of a call, and how to change it. */
export function useConsent(call: Call) {
  const queries = useQueryClient();
  const { id, client, keep } = useCallReader();
  const { join_code } = call;
  const answer = useMutation({
    mutationFn: (agreed: boolean) => client.recordings.setRecordingConsent({ path: { join_code }, body: { agreed } }),
    onSuccess: (changed) => keep(queries, changed),
    onError: (error) => showToast(describeProblem(error)),
  });
  const consent = ownParticipant(call, id)?.recording_consent ?? null;
  return { consent, answer };
}

/** The indicator of a recording that is running or announced. */
export function RecordingMark({ call }: { call: Call }) {
  const { consent } = useConsent(call);
  if (call.recording === null) return null;
  const is_left_out = consent === 'asked' || consent === 'declined';
  const is_soon = call.recording.state === 'announced';
  // On a phone there is only room for the sign.
  const Sign = is_left_out ? CircleSlash : CircleDot;
  return (
    <span className="chip call-recording">
      <Sign aria-hidden="true" size={14} />
      <span className="call-recording-words">
        {is_soon
          ? is_left_out
            ? i18n.t('Recording soon, without you')
            : i18n.t('Recording soon')
          : is_left_out
            ? i18n.t('Recording, without you')
            : i18n.t('Recording')}
      </span>
    </span>
  );
}

/** For the person who records: who is left out of the recording. */
function LeftOut({ call }: { call: Call }) {
  const named = (consent: 'asked' | 'declined') =>
    call.participants
      .filter((one) => one.recording_consent === consent && one.state === 'joined')
      .map(({ name }) => name);
  const [asked, declined] = [named('asked'), named('declined')];
  if (asked.length + declined.length === 0) return <>{i18n.t('Everyone in the call has been notified.')}</>;
  return (
    <>
      {asked.length === 0
        ? null
        : i18n.t('{count, plural, one {{names} hasn’t answered yet.} other {{names} haven’t answered yet.}}', {
            count: asked.length,
            names: listNames(asked),
          })}{' '}
      {declined.length === 0
        ? null
        : i18n.t('{count, plural, one {{names} isn’t recorded.} other {{names} aren’t recorded.}}', {
            count: declined.length,
            names: listNames(declined),
          })}
    </>
  );
}

/**
 * Announces a recording before it starts, and to late joiners. People who have not consented are not recorded, and can
 * take part all the same.
 */
export function RecordingNotice({ call }: { call: Call }) {
  const [read, setRead] = useState<string>();
  const { consent, answer } = useConsent(call);
  const { recording } = call;
  const { id } = useCallReader();
  const is_own = id !== undefined && recording?.by?.id === id;
  if (recording === null || (is_own ? recording.id === read : consent !== 'asked')) return <div role="alert" />;
  const by = recording.by === null ? i18n.t('Someone') : nameOf(recording.by);
  return (
    <div role="alert">
      <div className="notice call-notice" data-tone="danger">
        {is_own ? (
          <>
            <p>
              <strong>
                {recording.state === 'announced'
                  ? i18n.t('The recording begins in a few seconds.')
                  : i18n.t('You are recording this call.')}
              </strong>{' '}
              <LeftOut call={call} />
            </p>
            <button type="button" className="button quiet" onClick={() => setRead(recording.id)}>
              {i18n.t('Close')}
            </button>
          </>
        ) : (
          <>
            <p>
              <strong>
                <RichMessage
                  text={
                    recording.state === 'announced'
                      ? i18n.t('<name>{name}</name> wants to record this call.', { name: by })
                      : i18n.t('<name>{name}</name> is recording this call.', { name: by })
                  }
                  parts={{ name: (words) => <bdi>{words}</bdi> }}
                />
              </strong>{' '}
              {i18n.t('Do you agree to be recorded?')}
            </p>
            <ConsentButtons answer={answer} />
          </>
        )}
      </div>
    </div>
  );
}

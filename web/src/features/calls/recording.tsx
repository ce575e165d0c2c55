import type { Call } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleDot } from 'lucide-react';
import { useState } from 'react';
import { sdk } from '../../asterism.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { callQuery, keepCall } from './state/call-queries.ts';

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
      else keepCall(queries, changed);
    },
    onError: (error) => showToast(describeProblem(error)),
  });
}

/** The reader's own answer to the recording of a call, and how to change it. */
export function useConsent(call: Call, user_id: string | undefined) {
  const queries = useQueryClient();
  const { join_code } = call;
  const answer = useMutation({
    mutationFn: (agreed: boolean) => sdk.recordings.setRecordingConsent({ path: { join_code }, body: { agreed } }),
    onSuccess: (changed) => keepCall(queries, changed),
    onError: (error) => showToast(describeProblem(error)),
  });
  const consent = call.participants.find(({ user }) => user?.id === user_id)?.recording_consent ?? null;
  return { consent, answer };
}

/** The mark that stays for as long as a call is recorded, or is about to be. */
export function RecordingMark({ call, user_id }: { call: Call; user_id: string | undefined }) {
  const { consent } = useConsent(call, user_id);
  if (call.recording === null) return null;
  const is_left_out = consent === 'asked' || consent === 'declined';
  const words = call.recording.state === 'announced' ? 'Recording soon' : 'Recording';
  return (
    <span className="chip call-recording">
      <CircleDot aria-hidden="true" size={14} />
      {is_left_out ? `${words}, not you` : words}
    </span>
  );
}

/** Names as a sentence lists them. */
const listNames = (names: readonly string[]) => new Intl.ListFormat('en').format(names);

/** What whoever records sees: whom the recording leaves out. */
function LeftOut({ call }: { call: Call }) {
  const named = (consent: 'asked' | 'declined') =>
    call.participants
      .filter((one) => one.recording_consent === consent && one.state === 'joined')
      .map(({ name }) => name);
  const [asked, declined] = [named('asked'), named('declined')];
  if (asked.length + declined.length === 0) return <>Everyone in the call has been told.</>;
  return (
    <>
      {asked.length === 0 ? null : `${listNames(asked)} ${asked.length === 1 ? 'has' : 'have'} not answered yet. `}
      {declined.length === 0 ? null : `${listNames(declined)} ${declined.length === 1 ? 'is' : 'are'} not recorded.`}
    </>
  );
}

interface RecordingNoticeProps {
  call: Call;
  user_id: string | undefined;
}

/**
 * Tells everybody before a recording begins, and whoever comes later that it runs. Who has not answered is not recorded,
 * and can take part all the same.
 */
export function RecordingNotice({ call, user_id }: RecordingNoticeProps) {
  const [read, setRead] = useState<string>();
  const { consent, answer } = useConsent(call, user_id);
  const { recording } = call;
  const is_own = recording?.by?.id === user_id;
  if (recording === null || (is_own ? recording.id === read : consent !== 'asked')) return <div role="alert" />;
  const by = recording.by === null ? 'Someone' : nameOf(recording.by);
  return (
    <div role="alert">
      <div className="notice call-notice" data-tone="danger">
        {is_own ? (
          <>
            <p>
              <strong>
                {recording.state === 'announced'
                  ? 'The recording begins in a few seconds.'
                  : 'You are recording this call.'}
              </strong>{' '}
              <LeftOut call={call} />
            </p>
            <button type="button" className="button button-quiet" onClick={() => setRead(recording.id)}>
              Close
            </button>
          </>
        ) : (
          <>
            <p>
              <strong>
                <bdi>{by}</bdi> {recording.state === 'announced' ? 'wants to record' : 'is recording'} this call.
              </strong>{' '}
              Do you agree that what you say and show is kept?
            </p>
            <button type="button" className="button" disabled={answer.isPending} onClick={() => answer.mutate(true)}>
              Record me
            </button>
            <button
              type="button"
              className="button button-quiet"
              disabled={answer.isPending}
              onClick={() => answer.mutate(false)}
            >
              Don’t record me
            </button>
          </>
        )}
      </div>
    </div>
  );
}

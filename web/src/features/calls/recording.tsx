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
      if (on) return sdk.calls.startCallRecording();
      await sdk.calls.stopCallRecording();
      return undefined;
    },
    onSuccess: (changed) => {
      if (changed === undefined) void queries.invalidateQueries({ queryKey: callQuery(call.join_code).queryKey });
      else keepCall(queries, changed);
    },
    onError: (error) => showToast(describeProblem(error)),
  });
}

/** The mark that stays for as long as a call is recorded, or is about to be. */
export function RecordingMark({ call }: { call: Call }) {
  if (call.recording === null) return null;
  return (
    <span className="chip call-recording">
      <CircleDot aria-hidden="true" size={14} />
      {call.recording.state === 'announced' ? 'Recording soon' : 'Recording'}
    </span>
  );
}

interface RecordingNoticeProps {
  call: Call;
  user_id: string | undefined;
  onLeave: () => void;
}

/**
 * Tells everybody before a recording begins, and whoever comes later that it runs; it stays until it is read. Who
 * stays, consents: the way out stands beside it.
 */
export function RecordingNotice({ call, user_id, onLeave }: RecordingNoticeProps) {
  const [read, setRead] = useState<string>();
  const { recording } = call;
  if (recording === null || recording.id === read) return <div role="alert" />;
  const is_own = recording.by?.id === user_id;
  const by = is_own || recording.by === null ? 'You' : nameOf(recording.by);
  const words =
    recording.state === 'announced'
      ? `${by} will record this call: it begins in a few seconds.`
      : `${by === 'You' ? 'You are' : `${by} is`} recording this call.`;
  return (
    <div role="alert">
      <div className="notice call-notice" data-tone="danger">
        <p>
          <strong>{words}</strong>{' '}
          {is_own
            ? 'Everyone in the call has been told.'
            : 'Stay if you agree that what you say and show is kept, or leave.'}
        </p>
        <button type="button" className="button button-quiet" onClick={() => setRead(recording.id)}>
          {is_own ? 'Close' : 'I agree'}
        </button>
        {is_own ? null : (
          <button type="button" className="button button-danger" onClick={onLeave}>
            Leave the call
          </button>
        )}
      </div>
    </div>
  );
}

import type { Call } from '@asterism/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useStreamState } from '../../../data/stream.ts';
import { useShownPath } from '../../../ui/hooks/use-shown-path.ts';
import { useMe } from '../../../data/queries/me-query.ts';
import { callerOf, callKey, ownParticipant, ringingCallQuery } from '../../../data/queries/call-queries.ts';
import { RingCard } from './ring-card.tsx';

/** The ringing call: from the stream, or already ringing when the page was opened. */
function useRingingCall(user_id: string | undefined): Call | undefined {
  const queries = useQueryClient();
  // Later rings are reported by the stream.
  const is_open = useStreamState() === 'open';
  useQuery({ ...ringingCallQuery, enabled: is_open && user_id !== undefined });
  return useSyncExternalStore(
    (listener) => queries.getQueryCache().subscribe(listener),
    () => {
      const calls = queries.getQueryCache().findAll({ queryKey: callKey });
      return calls.map((query) => query.state.data as Call | undefined).find((call) => isRinging(call, user_id));
    },
  );
}

function isRinging(call: Call | undefined, user_id: string | undefined): boolean {
  if (call === undefined || user_id === undefined || call.state === 'ended') return false;
  const is_called = call.host.id !== user_id || callerOf(call, user_id) !== undefined;
  return is_called && ownParticipant(call, user_id)?.state === 'ringing';
}

/** Shown on every signed-in page while a call rings. */
export function IncomingCall() {
  const me = useMe();
  const call = useRingingCall(me?.gate.mobile_verified === true ? me.id : undefined);
  // The call's own pages are where it is answered: until the media grant is issued, the call still counts as ringing.
  const shown_path = useShownPath();
  const answering = [`/call/${call?.join_code ?? ''}`, `/j/${call?.join_code ?? ''}`].includes(shown_path);
  return call === undefined || answering ? null : <RingCard key={call.join_code} call={call} user_id={me?.id} />;
}

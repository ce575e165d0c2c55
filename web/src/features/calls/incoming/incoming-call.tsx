import type { Call } from '@asterism/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useRef, useSyncExternalStore } from 'react';
import { useStreamState } from '../../../data/stream.ts';
import { useShownPath } from '../../../ui/hooks/use-shown-path.ts';
import { useMe } from '../../../data/queries/me-query.ts';
import { callerOf, callKey, ownParticipant, ringingCallQuery } from '../../../data/queries/call-queries.ts';

/** Loaded soon after the first page, before a call rings; otherwise with the first one. */
export const RingCard = lazyRouteComponent(() => import('./ring-card.tsx'), 'RingCard');

/** The calls that ring, in their order: from the stream, or already ringing when the page was opened. */
function useRingingCalls(user_id: string | undefined): readonly Call[] {
  const queries = useQueryClient();
  // Later rings are reported by the stream.
  const is_open = useStreamState() === 'open';
  useQuery({ ...ringingCallQuery, enabled: is_open && user_id !== undefined });
  // The same list while its calls are the same: a new one would be a change each time.
  const known = useRef<readonly Call[]>([]);
  return useSyncExternalStore(
    (listener) => queries.getQueryCache().subscribe(listener),
    () => {
      const calls = queries.getQueryCache().findAll({ queryKey: callKey });
      const ringing = calls
        .map((query) => query.state.data as Call | undefined)
        .filter((call) => call !== undefined && isRinging(call, user_id)) as Call[];
      const is_same =
        ringing.length === known.current.length && ringing.every((call, at) => call === known.current[at]);
      if (!is_same) known.current = ringing;
      return known.current;
    },
  );
}

function isRinging(call: Call, user_id: string | undefined): boolean {
  if (user_id === undefined || call.state === 'ended') return false;
  const is_called = call.host.id !== user_id || callerOf(call, user_id) !== undefined;
  return is_called && ownParticipant(call, user_id)?.state === 'ringing';
}

/** Shown on every signed-in page while a call rings. */
export function IncomingCall() {
  const me = useMe();
  const [call, ...later] = useRingingCalls(me?.gate.mobile_verified === true ? me.id : undefined);
  // The call's own pages are where it is answered: until the media grant is issued, the call still counts as ringing.
  const shown_path = useShownPath();
  const answering = [`/call/${call?.join_code ?? ''}`, `/j/${call?.join_code ?? ''}`].includes(shown_path);
  return call === undefined || answering ? null : (
    <Suspense fallback={null}>
      <RingCard key={call.join_code} call={call} later={later} user_id={me?.id} />
    </Suspense>
  );
}

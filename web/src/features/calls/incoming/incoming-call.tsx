import type { Call } from '@asterism/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useMe } from '../../me/me-query.ts';
import { activeCallQuery, placeIn, callKey } from '../state/call-queries.ts';
import { guestOf, RingCard } from './ring-card.tsx';

/** The ringing call: from the stream, or already ringing when the page was opened. */
function useRingingCall(user_id: string | undefined): Call | undefined {
  const queries = useQueryClient();
  const active = useQuery({ ...activeCallQuery, enabled: user_id !== undefined }).data;
  const known = useSyncExternalStore(
    (listener) => queries.getQueryCache().subscribe(listener),
    () => {
      const calls = queries.getQueryCache().findAll({ queryKey: callKey });
      return calls.map((query) => query.state.data as Call | undefined).find((call) => isRinging(call, user_id));
    },
  );
  return known ?? (isRinging(active ?? undefined, user_id) ? (active ?? undefined) : undefined);
}

function isRinging(call: Call | undefined, user_id: string | undefined): boolean {
  if (call === undefined || user_id === undefined || call.state === 'ended') return false;
  const is_called = call.host.id !== user_id || guestOf(call) !== undefined;
  return is_called && placeIn(call, user_id)?.state === 'ringing';
}

/** Shown on every signed-in page while a call rings. */
export function IncomingCall() {
  const me = useMe();
  const call = useRingingCall(me?.gate.mobile_verified === true ? me.id : undefined);
  // The call's own pages are where it is answered: until the media grant is issued, the call still counts as ringing.
  const answering = useLocation({
    select: ({ pathname }) => [`/call/${call?.join_code ?? ''}`, `/j/${call?.join_code ?? ''}`].includes(pathname),
  });
  return call === undefined || answering ? null : <RingCard key={call.join_code} call={call} user_id={me?.id} />;
}

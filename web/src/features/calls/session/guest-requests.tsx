import type { Call } from '@asterism/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { guestsKey } from '../../../data/queries/call-queries.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { RichMessage } from '../../../i18n/rich-message.tsx';
import { waitingQuery } from '../state/guest-queries.ts';

type Guest = { id: string; name: string };

interface SeveralGuestsProps {
  readonly count: number;
  readonly onAdmit: () => void;
  readonly onDecline: () => void;
}

/** The decision about all at once. First, so that it stays in view above a long list. */
function SeveralGuests({ count, onAdmit, onDecline }: SeveralGuestsProps) {
  if (count < 2) return null;
  return (
    <li className="notice call-notice">
      <p>{i18n.t('{count, plural, one {# person asks to join.} other {# people ask to join.}}', { count })}</p>
      <button type="button" className="button primary" onClick={onAdmit}>
        {i18n.t('Admit all')}
      </button>
      <button type="button" className="button quiet" onClick={onDecline}>
        {i18n.t('Decline all')}
      </button>
    </li>
  );
}

/** Guests who wait for admission, with buttons to admit or decline each, or several at once. */
export function GuestRequests({ call }: { call: Call }) {
  const queries = useQueryClient();
  const { join_code } = call;
  const waiting = useQuery({ ...waitingQuery(join_code), enabled: call.guests === 'ask' }).data ?? [];
  const decide = useMutation({
    mutationFn: ({ guest, action }: { guest: Guest; action: 'admit' | 'decline' }) =>
      sdk.callGuests.decideCallGuest({ path: { join_code, guest_id: guest.id }, body: { action } }),
    onMutate: ({ guest }) =>
      queries.setQueryData(waitingQuery(join_code).queryKey, (known) => known?.filter(({ id }) => id !== guest.id)),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: guestsKey }),
  });
  const declineAll = useMutation({
    mutationFn: () => sdk.callGuests.declineCallGuests({ path: { join_code } }),
    onMutate: () => queries.setQueryData(waitingQuery(join_code).queryKey, []),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: guestsKey }),
  });
  const admitAll = () => {
    for (const guest of waiting) decide.mutate({ guest, action: 'admit' });
  };
  return (
    <div role="status">
      {waiting.length === 0 ? null : (
        <ul className="call-absent" aria-label={i18n.t('Who asks to join')}>
          <SeveralGuests count={waiting.length} onAdmit={admitAll} onDecline={() => declineAll.mutate()} />
          {waiting.map((guest) => (
            <li key={guest.id} className="notice call-notice">
              <p>
                <RichMessage
                  text={i18n.t('<name>{name}</name> asks to join as a guest.', { name: guest.name })}
                  parts={{ name: (words) => <bdi>{words}</bdi> }}
                />
              </p>
              <button
                type="button"
                className="button primary"
                onClick={() => decide.mutate({ guest, action: 'admit' })}
              >
                {i18n.t('Admit')}
                <span className="visually-hidden">{` ${guest.name}`}</span>
              </button>
              <button
                type="button"
                className="button quiet"
                onClick={() => decide.mutate({ guest, action: 'decline' })}
              >
                {i18n.t('Decline')}
                <span className="visually-hidden">{` ${guest.name}`}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

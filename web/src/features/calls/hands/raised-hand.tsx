import type { Call } from '@asterism/sdk';
import { Hand } from 'lucide-react';
import type { CallParticipant } from '../state/ring-mutations.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { useHand } from './use-hand.ts';
import './hands.css';

interface RaisedHandProps {
  one: CallParticipant;
  call: Call;
  is_own: boolean;
  /** Whether the reader is host or co-host. */
  is_hosting: boolean;
}

/** A raised hand in the list of people, which its owner and hosts can lower. */
export function RaisedHand({ one, call, is_own, is_hosting }: RaisedHandProps) {
  const hand = useHand(call.join_code);
  if (one.hand_raised_at === null) return null;
  if (!is_own && !is_hosting)
    return (
      <span className="chip hand">
        <Hand aria-hidden="true" size={16} />
        <span className="visually-hidden">{i18n.t('Hand raised')}</span>
      </span>
    );
  return (
    <button
      type="button"
      className="icon-button hand"
      title={i18n.t('Lower')}
      aria-label={i18n.t('Lower the hand of {name}', { name: one.name })}
      disabled={hand.isPending}
      onClick={() => hand.mutate({ raised: false, ...(is_own ? {} : { participant_id: one.id }) })}
    >
      <Hand aria-hidden="true" />
    </button>
  );
}

import type { Call } from '@asterism/sdk';
import { useEffect, useRef } from 'react';
import { ownParticipant } from '../../../data/queries/call-queries.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { listNames } from '../../../i18n/list-names.ts';
import { hasRaisedHere } from './use-hand.ts';

/** Tells a host who has raised their hand, and its owner that a host has lowered it. */
export function useHandNotice(call: Call, user_id: string | undefined, is_hosting: boolean): void {
  const own = ownParticipant(call, user_id);
  const raised = call.participants.filter((one) => one.hand_raised_at !== null);
  const key = raised.map(({ id }) => id).join(' ');
  const before = useRef(raised);
  useEffect(() => {
    const was = new Set(before.current.map(({ id }) => id));
    before.current = raised;
    const fresh = raised.filter(({ id }) => !was.has(id) && id !== own?.id).map(({ name }) => name);
    if (is_hosting && fresh.length > 0)
      showToast(
        i18n.t('{count, plural, one {{names} raised their hand.} other {{names} raised their hands.}}', {
          count: fresh.length,
          names: listNames(fresh),
        }),
      );
    if (own !== undefined && was.has(own.id) && own.hand_raised_at === null && hasRaisedHere(call.join_code))
      showToast(i18n.t('A host lowered your hand.'));
  }, [key]);
}
